import { assertEquals } from "@std/assert";
import { CapturedProcess } from "../captured_process.ts";
import { TEST_TLS } from "../test_tls.ts";
import { openRemoteKv } from "./client.ts";
import { TEST_TOKEN } from "./server.ts";

const MAIN = new URL("./main.ts", import.meta.url).pathname;
const SAYS = "KV Connect on ";

async function startProcess(...options: string[]): Promise<{
  process: CapturedProcess;
  url: string;
}> {
  const process = new CapturedProcess({
    args: ["run", "-A", MAIN, ...options],
  });
  const line = await process.line((line) => line.startsWith(SAYS));
  return { process, url: line.slice(SAYS.length) };
}

Deno.test("a KV Connect server of its own process is steered and asked over HTTP", async () => {
  const { process, url } = await startProcess("--tokens", `a,${TEST_TOKEN}`);
  await using _ended = process;
  const ask = async (path: string, body?: unknown) => {
    const init = body === undefined
      ? {}
      : { method: "POST", body: JSON.stringify(body) };
    const answer = await fetch(`${url}/_test/${path}`, init);
    const text = await answer.text();
    return answer.ok ? JSON.parse(text) : text;
  };
  using kv = await openRemoteKv(url);
  await kv.set(["row"], 1);
  assertEquals(
    (await ask("settings", { share503: 1, faultsLeft: 1 })).share503,
    1,
  );
  await kv.get(["row"]);
  const trace = await ask("trace?after=1");
  assertEquals(
    trace.map((
      { client, outcome }: Record<string, unknown>,
    ) => [client, outcome]),
    [[TEST_TOKEN, "503"], [TEST_TOKEN, "ok"]],
  );
  const stats = await ask("stats");
  assertEquals(stats.calls, {
    "atomic_write ok": 1,
    "snapshot_read 503": 1,
    "snapshot_read ok": 1,
  });
  assertEquals(stats.rows, 1);
  await ask("cut", {});
  assertEquals((await kv.get(["row"])).value, 1);
  assertEquals(
    await ask("settings", { none: 1 }),
    'TypeError: No setting "none"',
  );
  assertEquals(
    await ask("settings", { readMs: "1" }),
    'TypeError: Setting "readMs" must be a number',
  );
  process.kill("SIGTERM");
  assertEquals((await process.ended).code, 0);
});

Deno.test("a KV Connect server speaks https with a certificate", async () => {
  const dir = await Deno.makeTempDir({ prefix: "kv_connect_" });
  try {
    await Deno.writeTextFile(`${dir}/cert.pem`, TEST_TLS.cert);
    await Deno.writeTextFile(`${dir}/key.pem`, TEST_TLS.key);
    const { process, url } = await startProcess(
      ...["--cert", `${dir}/cert.pem`, "--key", `${dir}/key.pem`],
    );
    await using _ended = process;
    using client = Deno.createHttpClient({ caCerts: [TEST_TLS.ca] });
    const answer = await fetch(`${url}/_test/settings`, { client });
    assertEquals((await answer.json()).outage, "none");
    assertEquals(new URL(url).protocol, "https:");
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
});
