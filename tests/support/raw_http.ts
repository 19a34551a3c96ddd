/** Latin-1, so that a test can send any byte at all. */
function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** Sends bytes over TCP and reads the answer until the other end closes. */
export async function sendRaw(port: number, text: string): Promise<string> {
  using connection = await Deno.connect({ hostname: "127.0.0.1", port });
  await connection.write(bytesOf(text));
  return await new Response(connection.readable).text();
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
