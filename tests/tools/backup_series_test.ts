import { assertEquals, assertRejects } from "@std/assert";
import { relative } from "node:path";
import { backupTarget } from "../../adapters/backup/backup_target.ts";
import { folderTarget } from "../../adapters/backup/folder_target.ts";
import { parseConfig } from "../../config/config.ts";
import { StoreUnavailable } from "../../domain/failure.ts";
import type { Hold } from "../../domain/hold/hold.ts";
import { backUpStore } from "../../domain/operations/back_up_store.ts";
import { Refused } from "../../domain/refusal.ts";
import { writeBackups } from "../../kv/backup_series.ts";
import { keys } from "../../kv/keys.ts";
import { restoreNewest } from "../../tools/backup_series.ts";
import { MemoryLog } from "../support/captured_logs.ts";
import {
  logged,
  memoryTarget,
  put,
  restored,
  rowsOf,
  seriesOf,
} from "../support/continuous_backups.ts";
import { TEST_KEYS } from "../support/keys.ts";
import { openTestStore, type TestStore } from "../support/store.ts";

const SPELLINGS = [
  "x",
  "x/",
  "x//",
  "./x",
  "./x/",
  "/./x",
  "/y/../x",
  "../x",
];

for (const spelling of SPELLINGS) {
  Deno.test(`what is backed up to ${spelling} is restored from it`, async () => {
    const folder = await Deno.makeTempDir();
    // Absolute, or seen from where the test runs.
    const near = relative(Deno.cwd(), folder);
    const text = spelling.startsWith("/")
      ? `${folder}${spelling}`
      : spelling.startsWith("./")
      ? `./${near}/${spelling.slice(2)}`
      : spelling.startsWith("../")
      ? `${near}/y/${spelling}`
      : `${folder}/${spelling}`;
    await Deno.mkdir(`${folder}/y`);
    const { backups } = parseConfig({
      ENVIRONMENT: "development",
      BACKUP_TO: text,
    });
    if (backups === null) throw new Error("BACKUP_TO was not read");
    await using from = await openTestStore();
    const target = backupTarget(backups);
    await put(logged(from), ["a"], 1);
    await writeBackups(seriesOf(from, target));
    await put(logged(from), ["a"], 2);
    assertEquals(await writeBackups(seriesOf(from, target)), "written");
    await using to = await openTestStore();
    await restored(to, target);
    assertEquals(await rowsOf(to.realKv), await rowsOf(from.realKv));
    await Deno.remove(folder, { recursive: true });
  });
}

Deno.test("restoring from a folder that is none is refused in one sentence", async () => {
  const file = await Deno.makeTempFile();
  await using to = await openTestStore();
  const { kv, clock } = to;
  const options = { kv, clock, keys: TEST_KEYS };
  await assertRejects(
    () => restoreNewest(folderTarget(file), options),
    StoreUnavailable,
    "The folder of the backups can't be used: ENOTDIR",
  );
  const { refusal } = await assertRejects(
    () => restoreNewest(folderTarget(`${file}-away`), options),
    Refused,
  );
  assertEquals("message" in refusal && refusal.message, NONE);
  await Deno.remove(file);
});

const NONE = "Cannot restore the backup: there is none";

Deno.test("a store to practise with writes no backup", async () => {
  for (const kind of ["drill", "restored"] as const) {
    await using from = await openTestStore();
    await putOnHold(from, kind);
    const target = memoryTarget();
    const store = {
      ...from.store,
      backUp: () => writeBackups(seriesOf(from, target)),
    };
    await backUpStore({ store, log: new MemoryLog() });
    assertEquals(target.objects.size > 0, kind === "restored", kind);
  }
});

Deno.test("a series of a drill is restored for a drill alone", async () => {
  await using from = await openTestStore();
  const target = memoryTarget();
  await put(logged(from), ["a"], "real");
  await writeBackups(seriesOf(from, target));
  await using drill = await openTestStore();
  await put(logged(drill), ["a"], "practised");
  // It is of the same store, as a drill of its backups is.
  const { value } = await from.realKv.get(keys.storeId());
  await put(drill.realKv, keys.storeId(), value);
  await putOnHold(drill, "drill");
  // As earlier versions did.
  await writeBackups(seriesOf(drill, target));

  await using to = await openTestStore();
  const { hold } = await restored(to, target);
  assertEquals(hold, "restored");
  assertEquals(await rowsOf(to.realKv), await rowsOf(from.realKv));
  await using again = await openTestStore();
  const { kv, clock } = again;
  const options = { kv, clock, keys: TEST_KEYS, isDrill: true };
  assertEquals((await restoreNewest(target, options)).hold, "drill");
  assertEquals((await again.realKv.get(["a"])).value, "practised");

  const alone = memoryTarget();
  await writeBackups(seriesOf(drill, alone));
  await using none = await openTestStore();
  const { refusal } = await assertRejects(
    () => restored(none, alone),
    Refused,
  );
  assertEquals("message" in refusal && refusal.message, NONE);
  assertEquals(none.kv.commits.length, 0);
});

async function putOnHold(
  { realKv, clock }: TestStore,
  kind: Hold["kind"],
): Promise<void> {
  const hold: Hold = {
    kind,
    restoredAtMs: clock.now(),
    backupAtMs: clock.now(),
    isWhole: true,
    releasedAtMs: null,
    acknowledged: [],
  };
  await put(realKv, keys.hold(), hold);
}
