/**
 * The upper bound of redirects: `Deno.serve` with one ready answer and nothing
 * else. Its only argument is JSON: `{port, location}`.
 *
 * @module
 */
const { port, location } = JSON.parse(Deno.args[0] ?? "{}");

const server = Deno.serve(
  { hostname: "127.0.0.1", port, onListen() {} },
  () => new Response(null, { status: 302, headers: { location } }),
);

Deno.addSignalListener("SIGTERM", () => {
  server.shutdown().then(() => Deno.exit(0));
});
