/**
 * What the tools take for the service: a proxy goes on answering when the service
 * behind it is gone.
 *
 * @module
 */
import { assertEquals, assertRejects } from "@std/assert";
import { operatorClient, ServiceAbsent } from "../../tools/operator_client.ts";
import { backupRows } from "../support/backup_rows.ts";
import { DevFolder } from "./dev_service.ts";

const OURS = JSON.stringify({ status: "ok", version: "1.2.3" });

/** Something that answers every request so. */
function listenWith(answer: () => Response) {
  const options = { port: 0, hostname: "localhost", onListen() {} };
  const server = Deno.serve(options, answer);
  const url = `http://localhost:${server.addr.port}`;
  return { url, [Symbol.asyncDispose]: () => server.shutdown() };
}

async function find(baseUrl: string, healthMs?: number): Promise<void> {
  const config = { settings: { baseUrl }, dataDir: null, operatorKey: "key" };
  const client = await operatorClient(config as never, healthMs);
  await client.find();
}

for (
  const [what, status, body] of [
    ["a proxy without its service", 502, "Bad gateway"],
    ["a proxy that is being set up", 200, "<h1>Welcome</h1>"],
    ["another program", 200, '{"status":"ok"}'],
    ["a service's health on a page of errors", 503, OURS],
  ] as const
) {
  Deno.test(`${what} is no service, and the tools say what it answers`, async () => {
    await using other = listenWith(() => new Response(body, { status }));
    const error = await assertRejects(() => find(other.url), ServiceAbsent);
    assertEquals(error.isOther, true);
    assertEquals(
      error.message,
      `No service answers at ${other.url}: what listens there answers ` +
        `${status}, with no service of ours`,
    );
  });
}

Deno.test("who says nothing is no service, nor is nobody", async () => {
  using silent = Deno.listen({ port: 0, hostname: "localhost" });
  const url = `http://localhost:${silent.addr.port}`;
  const error = await assertRejects(() => find(url, 50), ServiceAbsent);
  assertEquals(error.isOther, true);
  silent.close();
  const nobody = await assertRejects(() => find(url), ServiceAbsent);
  assertEquals([nobody.isOther, nobody.message], [
    false,
    `No service answers at ${url}`,
  ]);
});

Deno.test("the service is found by what its health says", async () => {
  await using service = listenWith(() => new Response(OURS));
  await find(service.url);
});

Deno.test("behind a proxy that answers 502 a store is backed up, rebuilt and restored", async () => {
  await using proxy = listenWith(() => new Response(null, { status: 502 }));
  const told = `No service answers at ${proxy.url}: what listens there ` +
    "answers 502, with no service of ours\n";
  const env = { BASE_URL: proxy.url };
  await using lost = await DevFolder.make(env);
  assertEquals((await lost.run("seed", ["--days", "1"])).code, 0);
  const backup = await lost.run("backup", []);
  assertEquals([backup.code, backup.stderr], [0, told]);
  const rebuilt = await lost.run("reindex", []);
  assertEquals([rebuilt.code, rebuilt.stderr], [0, told]);
  await using found = await DevFolder.make(env);
  const restored = await found.run("restore", [], backup.stdout);
  assertEquals([restored.code, restored.stderr], [0, told]);
  const again = await found.run("backup", []);
  assertEquals(backupRows(again.stdout), backupRows(backup.stdout));
});

Deno.test("a drill is restored beside the service, and nothing else is", async () => {
  await using service = listenWith(() => new Response(OURS));
  await using seeded = await DevFolder.make();
  assertEquals((await seeded.run("seed", ["--days", "1"])).code, 0);
  const { stdout: backup } = await seeded.run("backup", []);
  await using other = await DevFolder.make({ BASE_URL: service.url });
  const refused = await other.run("restore", [], backup);
  assertEquals([refused.code, refused.stderr], [
    1,
    `Cannot restore while a service answers at ${service.url}: stop it first\n`,
  ]);
  const drill = await other.run("restore", ["--drill"], backup);
  assertEquals([drill.code, drill.stderr], [0, ""]);
});
