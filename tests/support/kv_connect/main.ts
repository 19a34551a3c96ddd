/**
 * A KV Connect server for tests: what `Deno.openKv("http://…")` talks to, with
 * the limits of a self-hosted denokv, and with delays and faults to order.
 *
 *     deno run -A tests/support/kv_connect/main.ts --port 4512
 *         [--file kv.sqlite3] [--tokens a,b] [--cert cert.pem --key key.pem]
 *         [--readMs 20] [--writeMs 20] [--jitter 0.25] [--quickAck true] …
 *         [--direct true]
 *
 *     DENO_KV_ACCESS_TOKEN=a KV_URL=http://localhost:4512 deno task …
 *
 * Any setting is an option. Without `--file` the rows are in memory. Each token
 * names a client in the trace. `--direct` saves the time of what can cut
 * connections, for a benchmark. Any path is a database of its own
 * (`KV_URL=http://localhost:4512/one`), made when it is first asked for, in
 * memory: a whole test suite needs one server.
 *
 * While it runs, it is steered and asked over HTTP:
 *
 *     curl :4512/_test/settings -d '{"readMs":5}'   settings, see Settings
 *     curl :4512/_test/trace?after=120              calls since, see Call
 *     curl :4512/_test/stats                        counts by method and outcome
 *     curl -X POST :4512/_test/cut                  cuts every connection
 *
 * In a test: `await using server = startKvConnect({ writeMs: 60 })`, then
 * `server.change({ outage: "503" })` and `server.trace`.
 *
 * What it is faithful to, as read in denoland/denokv: limits, versionstamps,
 * sums, rows that outlive their expiry until they are swept, watches, answers
 * to misuse. It has neither queues nor an eventual endpoint, which Deno's client
 * never asks. That client speaks HTTP/2 without TLS to `http://`, many calls on
 * one connection, and sends a call again, for ever, every 200 to 300 ms, after a
 * 5xx or a cut connection, commits included. A cut ends every call that is under
 * way on the same connection, as a broken line does.
 *
 * @module
 */
import { type KvConnectOptions, startKvConnect } from "./server.ts";
import { DEFAULTS, readChanges } from "./settings.ts";

if (import.meta.main) await main();

async function main(): Promise<void> {
  const server = startKvConnect(optionsOf(Deno.args));
  const line = `KV Connect on ${server.url}\n`;
  await Deno.stdout.write(new TextEncoder().encode(line));
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    Deno.addSignalListener(signal, async () => {
      await server.stop();
      Deno.exit(0);
    });
  }
}

function optionsOf(args: readonly string[]): KvConnectOptions {
  const options: Record<string, unknown> = {};
  for (let at = 0; at < args.length; at += 2) {
    const [flag = "", value = ""] = args.slice(at, at + 2);
    const name = flag.replace(/^--/, "");
    options[name] = valueOf(name, value);
  }
  return options;
}

function valueOf(name: string, text: string): unknown {
  switch (name) {
    case "port":
      return Number(text);
    case "file":
      return text;
    case "tokens":
      return text.split(",");
    case "direct":
      return text === "true";
    case "cert":
    case "key":
      return Deno.readTextFileSync(text);
  }
  const type = typeof { ...DEFAULTS }[name as keyof typeof DEFAULTS];
  const value = type === "number"
    ? Number(text)
    : type === "boolean"
    ? text === "true"
    : text;
  readChanges({ [name]: value });
  return value;
}
