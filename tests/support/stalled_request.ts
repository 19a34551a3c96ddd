/**
 * Requests over sockets whose bodies come when a test says so.
 *
 * @module
 */
import type { AskedEverywhere } from "./asked_everywhere.ts";
import type { Operation } from "./every_route.ts";

/** A request whose body stops in the middle. */
export interface Stalled extends AsyncDisposable {
  /** Waits for one of the two. */
  until(holds: () => boolean): Promise<"answered" | "holds">;
  /** Sends the rest of the body. */
  send(rest: string): Promise<void>;
  /** The answer as far as the end of its body. */
  answer(): Promise<string>;
}

/** Sends a head and the beginning of a body, over a socket. */
export async function stalled(
  everywhere: AskedEverywhere,
  route: Operation,
  type: string,
  body: string,
): Promise<Stalled> {
  const head = await everywhere.headOf(route, type);
  const connection = await Deno.connect({
    hostname: "127.0.0.1",
    port: Number(new URL(route.url).port),
  });
  await connection.write(
    new TextEncoder().encode(`${head.join("\r\n")}\r\n${body}`),
  );
  let text = "";
  let isOver = false;
  const reading = (async () => {
    const buffer = new Uint8Array(65_536);
    while (!isWhole(text)) {
      const count = await connection.read(buffer);
      if (count === null) break;
      text += new TextDecoder().decode(buffer.subarray(0, count));
    }
    isOver = true;
  })().catch(() => void (isOver = true));
  return {
    async until(holds) {
      for (;;) {
        if (holds()) return "holds";
        if (isOver) return "answered";
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    },
    async send(rest) {
      await connection.write(new TextEncoder().encode(rest));
    },
    async answer() {
      await reading;
      return text;
    },
    async [Symbol.asyncDispose]() {
      connection.close();
      await reading;
    },
  };
}

/** Whether an answer has come whole, by the length it says or its last chunk. */
function isWhole(text: string): boolean {
  const end = text.indexOf("\r\n\r\n");
  if (end < 0) return false;
  if (/^transfer-encoding: chunked/mi.test(text.slice(0, end))) {
    return text.endsWith("0\r\n\r\n");
  }
  const length = /^content-length: (\d+)/mi.exec(text.slice(0, end))?.[1];
  const sent = new TextEncoder().encode(text.slice(end + 4)).byteLength;
  return sent >= Number(length ?? 0);
}
