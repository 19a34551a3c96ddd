/**
 * The upper bound: `Deno.serve` with one ready answer and nothing else. Its
 * only argument is JSON: `{port, record}`.
 *
 * @module
 */
const { port, record } = JSON.parse(Deno.args[0] ?? "{}");
const body = new TextEncoder().encode(JSON.stringify({ data: record }));
const headers = { "content-type": "application/json" };

const server = Deno.serve(
  { hostname: "127.0.0.1", port, onListen() {} },
  () => new Response(body, { headers }),
);

Deno.addSignalListener("SIGTERM", () => {
  server.shutdown().then(() => Deno.exit(0));
});
