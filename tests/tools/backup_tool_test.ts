import { assert, assertEquals, assertMatch } from "@std/assert";
import { until } from "../support/until.ts";
import { DevFolder } from "./dev_service.ts";

const OWN = { SECRETS: "a secret of this test alone that is long enough" };

Deno.test("backup --to writes a file of its owner's alone under its own name once it is whole", async () => {
  await using folder = await DevFolder.make(OWN);
  await seed(folder);
  const path = `${folder.dataDir}/spotlight.ndjson`;
  await Deno.writeTextFile(path, "an older one", { mode: 0o644 });
  const run = await folder.run("backup", ["--to", path]);
  assertEquals([run.code, run.stdout, run.stderr], [0, "", ""]);
  const { mode } = await Deno.stat(path);
  assertEquals((mode ?? 0) & 0o777, 0o600);
  assertEquals(partsIn(folder.dataDir), []);

  await using other = await DevFolder.make(OWN);
  const text = await Deno.readTextFile(path);
  const restored = JSON.parse((await other.run("restore", [], text)).stdout);
  assertEquals([restored.consistent, restored.verified], [true, true]);
});

Deno.test("backup --to leaves what was there when it fails, and no part of a file", async () => {
  await using folder = await DevFolder.make(OWN);
  await seed(folder);
  await using service = fakeService(() => new Response("{}", { status: 500 }));
  const path = `${folder.dataDir}/spotlight.ndjson`;
  await Deno.writeTextFile(path, "an older one");
  await using asking = await DevFolder.make({ ...OWN, BASE_URL: service.url });
  const run = await asking.run("backup", ["--to", path]);
  assertEquals([run.code, run.stdout], [1, ""]);
  assertEquals(await Deno.readTextFile(path), "an older one");
  assertEquals(partsIn(folder.dataDir), []);

  const nowhere = `${folder.dataDir}/none/spotlight.ndjson`;
  const { code, stderr } = await folder.run("backup", ["--to", nowhere]);
  assertEquals(code, 1);
  assert(stderr.startsWith(`Cannot write ${nowhere}: `), stderr);
});

Deno.test("backup --require-consistent gives up after five attempts, writes nothing and exits with 3", async () => {
  let attempts = 0;
  await using service = fakeService(() => {
    attempts += 1;
    return new Response('{"rows":0,"consistent":false,"sha256":""}\n');
  });
  await using folder = await DevFolder.make({ ...OWN, BASE_URL: service.url });
  const run = await folder.run("backup", ["--require-consistent"]);
  assertEquals([run.code, run.stdout], [3, ""]);
  assertEquals(
    run.stderr,
    "Cannot back up: the store changed during each of 5 attempts, so none is " +
      "of one moment\n",
  );
  assertEquals(attempts, 5);
});

Deno.test("backup --require-consistent writes the first backup that is of one moment, and nothing of those before", async () => {
  let attempts = 0;
  const longer = '[["a"],"of the first attempt"]\n'.repeat(1_000);
  const whole = '{"rows":0,"consistent":true,"sha256":""}\n';
  await using service = fakeService(() => {
    attempts += 1;
    const torn = '{"rows":0,"consistent":false,"sha256":""}\n';
    return new Response(attempts === 1 ? longer + torn : whole);
  });
  await using folder = await DevFolder.make({ ...OWN, BASE_URL: service.url });
  const run = await folder.run("backup", ["--require-consistent"]);
  assertEquals([run.code, run.stdout, run.stderr], [0, whole, ""]);
  assertEquals(attempts, 2);
});

Deno.test("restore refuses a backup made under other SECRETS, and takes it with --unverified", async () => {
  await using folder = await DevFolder.make(OWN);
  await seed(folder);
  const { stdout } = await folder.run("backup", []);
  // Development without SECRETS has some of its folder's own.
  await using other = await DevFolder.make();
  const refused = await other.run("restore", [], stdout);
  assertEquals([refused.code, refused.stdout], [1, ""]);
  assertEquals(
    refused.stderr,
    "Cannot restore the backup: it was made under other SECRETS; restore it " +
      "with those\n",
  );
  const args = ["--drill", "--unverified"];
  const taken = JSON.parse((await other.run("restore", args, stdout)).stdout);
  assertEquals([taken.verified, taken.hold], [false, "drill"]);
});

Deno.test("restore --continuous brings back what a service wrote to BACKUP_TO, and says where none is", async () => {
  const place = await Deno.makeTempDir({ prefix: "spotlight_backups_" });
  const env = { BACKUP_TO: place };
  await using other = await DevFolder.make(env);
  const early = await other.run("restore", ["--continuous"]);
  assertEquals(
    [early.code, early.stderr],
    [1, "Cannot restore the backup: there is none\n"],
  );
  await using folder = await DevFolder.make(env);
  await folder.start();
  await until(() => isBackedUp(place));
  await folder.stop();
  const run = await other.run("restore", ["--continuous"]);
  assertMatch(run.stderr, /^s000000001-\S+, store \S+, \d+ rows .*\n$/);
  const { consistent, verified, until: end } = JSON.parse(run.stdout);
  // Without SECRETS of its own a service in development signs nothing.
  assertEquals([consistent, verified], [true, false]);
  assert(Date.parse(end) <= Date.now());

  await using without = await DevFolder.make(OWN);
  const { code, stderr } = await without.run("restore", ["--continuous"]);
  assertEquals(
    [code, stderr],
    [1, "Cannot restore: BACKUP_TO is not set\n"],
  );
  await Deno.remove(place, { recursive: true });
});

/** Whether the first file of changes is there. */
function isBackedUp(place: string): Promise<boolean> {
  const names = [...Deno.readDirSync(place)].flatMap(({ name }) =>
    [...Deno.readDirSync(`${place}/${name}`)].map((file) => file.name)
  );
  const found = names.some((name) => /^changes-\d+-[0-9a-f]+$/.test(name));
  return Promise.resolve(found);
}

async function seed(folder: DevFolder): Promise<void> {
  assertEquals((await folder.run("seed", ["--days", "2"])).code, 0);
}

/** What writing under another name may have left. */
function partsIn(folder: string): string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name)
    .filter((name) => name.endsWith(".part"));
}

/** Says that it is the service, and answers all else as it is told. */
function fakeService(answer: () => Response) {
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    (request) =>
      request.url.endsWith("/healthz")
        ? Response.json({ status: "ok", version: "0.0.0" })
        : answer(),
  );
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}
