/** Latin-1, so that a test can send any byte at all. */
function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/**
 * Sends bytes over TCP and reads the answer until the other end closes. A
 * server that answers without reading all of them may reset the connection.
 */
export async function sendRaw(port: number, text: string): Promise<string> {
  using connection = await Deno.connect({ hostname: "127.0.0.1", port });
  const decoder = new TextDecoder();
  const buffer = new Uint8Array(16_384);
  let answer = "";
  try {
    const bytes = bytesOf(text);
    for (let sent = 0; sent < bytes.length;) {
      sent += await connection.write(bytes.subarray(sent));
    }
    for (;;) {
      const count = await connection.read(buffer);
      if (count === null) return answer;
      answer += decoder.decode(buffer.subarray(0, count), { stream: true });
    }
  } catch (error) {
    if (isCutOff(error)) return answer;
    throw error;
  }
}

function isCutOff(error: unknown): boolean {
  return error instanceof Deno.errors.ConnectionReset ||
    error instanceof Deno.errors.BrokenPipe;
}

/** A request on a connection that ends with its answer. */
export function rawRequest(
  target: string,
  headers: readonly string[],
  method = "GET",
): string {
  const lines = [`${method} ${target} HTTP/1.1`, ...headers];
  return `${lines.join("\r\n")}\r\nConnection: close\r\n\r\n`;
}

/** The status of a raw answer. */
export function rawStatus(answer: string): number {
  return Number(/^HTTP\/1\.[01] (\d{3})/.exec(answer)?.[1]);
}

/** Reads from a connection until a text has come. */
export async function readUntil(
  connection: Deno.Conn,
  wanted: string,
): Promise<string> {
  const decoder = new TextDecoder();
  const buffer = new Uint8Array(4096);
  let text = "";
  while (!text.includes(wanted)) {
    const count = await connection.read(buffer);
    if (count === null) break;
    text += decoder.decode(buffer.subarray(0, count), { stream: true });
  }
  return text;
}
