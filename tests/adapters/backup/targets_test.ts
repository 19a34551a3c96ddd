import { assertEquals, assertRejects } from "@std/assert";
import { folderTarget } from "../../../adapters/backup/folder_target.ts";
import { s3Target } from "../../../adapters/backup/s3_target.ts";
import type { BackupTarget } from "../../../domain/operations/backup_target.ts";
import { S3_CREDENTIALS, startS3Server } from "../../support/s3_server.ts";

const NAMES = [
  "2026-11-20T02-00-00.000Z/changes-000001-00000000000000120000",
  "2026-11-20T02-00-00.000Z/full-000001",
  "2026-11-21T02-00-00.000Z/full-000001",
];

async function assertKeeps(target: BackupTarget): Promise<void> {
  for (const name of NAMES.toReversed()) {
    await target.put(name, new TextEncoder().encode(`old ${name}`));
    await target.put(name, new TextEncoder().encode(`of ${name} é`));
  }
  assertEquals(await target.list(), NAMES);
  for (const name of NAMES) {
    const text = new TextDecoder().decode(await target.get(name));
    assertEquals(text, `of ${name} é`);
  }
  await assertRejects(() => target.get("nothing"));
}

Deno.test("folderTarget() keeps files of their owner's alone, and shows none that is not whole", async () => {
  const folder = await Deno.makeTempDir();
  const target = folderTarget(`${folder}/backups`);
  await assertKeeps(target);
  const { mode } = await Deno.stat(`${folder}/backups/${NAMES[1]}`);
  assertEquals((mode ?? 0) & 0o777, 0o600);
  await Deno.writeTextFile(`${folder}/backups/${NAMES[1]}.x.part`, "half");
  assertEquals(await target.list(), NAMES);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("s3Target() keeps objects by signed calls, in a bucket and in a folder of one", async () => {
  for (const folder of ["", "/spotlight/eu"]) {
    await using server = startS3Server();
    const address = server.url + folder;
    await assertKeeps(s3Target({ address, ...S3_CREDENTIALS }));
    const [first] = [...server.objects.keys()].sort();
    assertEquals(first, `${folder.slice(1)}${folder && "/"}${NAMES[0]}`);
  }
});

Deno.test("s3Target() lists no backups of another store, kept in a folder of the same bucket", async () => {
  await using server = startS3Server();
  const own = s3Target({ address: server.url, ...S3_CREDENTIALS });
  const folder = `${server.url}/preview`;
  const others = s3Target({ address: folder, ...S3_CREDENTIALS });
  for (const target of [own, others]) await assertKeeps(target);
  assertEquals(server.objects.size, 2 * NAMES.length);
});

Deno.test("s3Target() fails when its key is another, and nothing is kept", async () => {
  await using server = startS3Server();
  const secretAccessKey = "another";
  const credentials = { ...S3_CREDENTIALS, secretAccessKey };
  const target = s3Target({ address: server.url, ...credentials });
  await assertRejects(
    () => target.put("a", new Uint8Array([1])),
    Error,
    "The bucket of the backups answered 403",
  );
  assertEquals([server.objects.size, server.statuses], [0, [403]]);
});
