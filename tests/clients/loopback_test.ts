/** The port that a login opens, and what any page of the browser may send it. */
import { assertEquals } from "@std/assert";
import { Loopback } from "../../clients/cli/loopback.js";

/** Sends a request target as it is, which `fetch` would put in order. */
async function statusOf(
  at: string,
  target: string,
  method = "GET",
): Promise<number> {
  const { hostname, port } = new URL(at);
  using connection = await Deno.connect({ hostname, port: Number(port) });
  const head = `${method} ${target} HTTP/1.1\r\nHost: ${hostname}:${port}\r\n`;
  const end = "Content-Length: 0\r\nConnection: close\r\n\r\n";
  await connection.write(new TextEncoder().encode(head + end));
  const bytes = new Uint8Array(1_024);
  const read = await connection.read(bytes) ?? 0;
  const [, status] = new TextDecoder().decode(bytes.subarray(0, read))
    .split(" ");
  return Number(status);
}

Deno.test("a login goes on waiting whatever another page asks its port for", async () => {
  const loopback = new Loopback();
  try {
    const at = await loopback.open();
    assertEquals(await statusOf(at, "/callback"), 400, "before it waits");
    const answer = loopback.answer("s", 60_000);
    for (
      const target of [
        "//",
        "//?state=s",
        "///",
        "*",
        "http://",
        "http://[/callback?state=s",
        "/callback",
        "/callback?state=another",
        "/callback/?state=s",
        "/elsewhere?state=s",
        "/callback?state=%",
      ]
    ) assertEquals(await statusOf(at, target), 400, target);
    assertEquals(await statusOf(at, "/callback?state=s", "POST"), 400);
    assertEquals(await statusOf(at, "/callback?code=a%3Fb?c&state=s"), 200);
    assertEquals((await answer).get("code"), "a?b?c");
  } finally {
    loopback.close();
  }
});
