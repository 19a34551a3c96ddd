import { assert, assertEquals, assertRejects } from "@std/assert";
import { Connection } from "../../../tools/bench/load/connection.ts";
import { addressOf, type Load } from "../../../tools/bench/load/generator.ts";
import { askEach, ownGenerator } from "../../../tools/bench/load/own.ts";

function serve(answer: (request: Request) => Response) {
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    answer,
  );
  return {
    port: server.addr.port,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

function loadOf(port: number): Load {
  return {
    port,
    host: "spotlight.example",
    path: "/api",
    addresses: 3,
    firstAddress: 254,
    connections: 2,
    seconds: 0.2,
  };
}

Deno.test("the own generator lets all addresses ask in turn and counts each status", async () => {
  const asked = new Map<string, number>();
  await using server = serve((request) => {
    const address = request.headers.get("x-forwarded-for") ?? "";
    asked.set(address, (asked.get(address) ?? 0) + 1);
    const status = address === addressOf(255) ? 429 : 200;
    return new Response("x".repeat(2_000), { status });
  });
  const { statuses } = await askEach(loadOf(server.port));
  assertEquals(
    [...asked.keys()].sort(),
    [addressOf(254), addressOf(255), addressOf(256)].sort(),
  );
  assertEquals(statuses["429"], asked.get(addressOf(255)));
  assertEquals(
    statuses["200"],
    (asked.get(addressOf(254)) ?? 0) + (asked.get(addressOf(256)) ?? 0),
  );
  const { served, refused, p50Ms, p99Ms } = await ownGenerator.run(
    loadOf(server.port),
  );
  assert(served > refused && refused > 0 && p50Ms <= p99Ms);
});

Deno.test("a connection reads an answer that comes in pieces", async () => {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const answering = (async () => {
    using socket = await listener.accept();
    await socket.read(new Uint8Array(1_000));
    for (
      const piece of [
        "HTTP/1.1 404 No\r\nContent-",
        "Length: 4\r\n\r",
        "\nab",
        "cd",
      ]
    ) {
      await socket.write(new TextEncoder().encode(piece));
    }
  })();
  using connection = await Connection.open(listener.addr.port);
  const answer = await connection.ask(new TextEncoder().encode("GET"));
  assertEquals(answer.status, 404);
  const body = answer.bytes.subarray(answer.bodyStart, answer.end);
  assertEquals(new TextDecoder().decode(body), "abcd");
  await answering;
});

Deno.test("a connection reads an answer in chunks up to the last", async () => {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const answering = (async () => {
    using socket = await listener.accept();
    await socket.read(new Uint8Array(10));
    const head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    for (const piece of [head, "2\r\nab\r\n", "1\r\nc\r\n0\r\n", "\r\n"]) {
      await socket.write(new TextEncoder().encode(piece));
    }
  })();
  using connection = await Connection.open(listener.addr.port);
  const answer = await connection.ask(new TextEncoder().encode("GET"));
  assertEquals(answer.status, 200);
  const body = answer.bytes.subarray(answer.bodyStart, answer.end);
  assertEquals(
    new TextDecoder().decode(body),
    "2\r\nab\r\n1\r\nc\r\n0\r\n\r\n",
  );
  await answering;
});

Deno.test("a connection rejects when the server hangs up", async () => {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const closing = listener.accept().then((socket) => socket.close());
  using connection = await Connection.open(listener.addr.port);
  await assertRejects(() => connection.ask(new Uint8Array([1])), Error);
  await closing;
});
