import { assert, assertEquals, assertRejects } from "@std/assert";
import { createHash } from "node:crypto";
import { secretKeys } from "../../config/secret_keys.ts";
import type { Keys } from "../../domain/ports.ts";
import { Refused } from "../../domain/refusal.ts";
import { backupHeader } from "../../kv/backup_format.ts";
import { dump } from "../../kv/dump.ts";
import { restore, type RestoreOptions } from "../../tools/restore_backup.ts";
import { TEST_KEYS, TEST_SECRET } from "../support/keys.ts";
import { openTestStore, type TestStore } from "../support/store.ts";

const OTHERS: Keys = secretKeys({ secrets: ["o".repeat(40)] });

Deno.test("restore() takes a backup made under any of the service's secrets, and says that it is verified", async () => {
  const text = await backup(TEST_KEYS);
  const rotated = secretKeys({ secrets: ["n".repeat(40), TEST_SECRET] });
  for (const keys of [TEST_KEYS, rotated]) {
    await using to = await openTestStore();
    const { rows, verified } = await restore({ ...into(to, text), keys });
    assertEquals([rows, verified], [1, true]);
  }
});

Deno.test("restore() refuses a backup made under other secrets, or without any at hand, and writes nothing", async () => {
  const text = await backup(TEST_KEYS);
  await using to = await openTestStore();
  for (const keys of [OTHERS, null]) {
    await assertRefused(
      to,
      { ...into(to, text), keys },
      "it was made under other SECRETS; restore it with those",
    );
  }
});

Deno.test("restore() refuses a forged backup whose checksum is right, and writes nothing", async () => {
  const text = await backup(TEST_KEYS);
  const forged = rehashed(text.replace("honest", "forged"));
  await using to = await openTestStore();
  for (const takesUnverified of [false, true]) {
    await assertRefused(
      to,
      { ...into(to, forged), takesUnverified },
      "its MAC is another",
    );
  }
  // The same without the members that say that it was signed.
  const stripped = rehashed(
    forged.replace(/,"key":"\w+"/, "").replace(/,"mac":"[^"]+"/, ""),
  );
  await assertRefused(
    to,
    into(to, stripped),
    "it has no MAC, which would prove who made it; where you know that, " +
      "restore it with --unverified",
  );
  // And with one of the two.
  for (const part of [/,"key":"\w+"/, /,"mac":"[^"]+"/]) {
    await assertRefused(
      to,
      into(to, rehashed(text.replace(part, ""))),
      "its last line is another format",
    );
  }
});

Deno.test("restore() takes a backup of an earlier format only where the operator says so, or in development", async () => {
  for (const version of [1, 2, 3]) {
    const startedAtMs = version === 1 ? null : 0;
    const header = backupHeader(
      { startedAtMs, readableFrom: 1, keyId: null },
      version,
    );
    const text = rehashed([header, '[["a"],1]', "{}", ""].join("\n"));
    await using to = await openTestStore();
    await assertRefused(
      to,
      into(to, text),
      "it has no MAC, which would prove who made it; where you know that, " +
        "restore it with --unverified",
    );
    const asked = { ...into(to, text), takesUnverified: true };
    assertEquals((await restore(asked)).verified, false);
    await using development = await openTestStore();
    const { verified } = await restore({
      ...into(development, text),
      keys: null,
    });
    assertEquals(verified, false);
  }
});

Deno.test("restore() of a backup whose secrets are lost takes the operator's word, and its checksum has to be right", async () => {
  const text = await backup(OTHERS);
  await using to = await openTestStore();
  const asked = { ...into(to, text), takesUnverified: true };
  const altered = { ...into(to, text.replace("honest", "forged")) };
  await assertRefused(
    to,
    { ...altered, takesUnverified: true },
    "its SHA-256 is another",
  );
  assertEquals((await restore(asked)).verified, false);
});

Deno.test("restore() leaves out what is ephemeral, whoever wrote it into the backup", async () => {
  const text = await backup(TEST_KEYS);
  const [header = "", row = "", trailer = ""] = text.split("\n");
  const older = rehashed(
    [
      header.replace(/,"key":"\w+"/, ""),
      row,
      '[["job_runs","settle"],{"name":"settle","lastSuccessMs":1}]',
      trailer.replace(/,"mac":"[^"]+"/, ""),
      "",
    ].join("\n"),
  );
  await using to = await openTestStore();
  const summary = await restore({ ...into(to, older), keys: null });
  assertEquals(summary.rows, 1);
  assertEquals(await to.store.jobRuns.find("settle"), null);
});

/** One row. */
async function backup(keys: Keys | null): Promise<string> {
  await using from = await openTestStore();
  const atomic = from.realKv.atomic();
  atomic.set(["a"], "honest");
  await atomic.commit();
  return await new Response(dump(from.realKv, { keys })).text();
}

/** The text with a last line that counts and hashes what stands before it. */
function rehashed(text: string): string {
  const lines = text.trimEnd().split("\n");
  const { mac } = JSON.parse(lines.pop() ?? "");
  const body = `${lines.join("\n")}\n`;
  const sha256 = createHash("sha256").update(body).digest("hex");
  const trailer = { rows: lines.length - 1, consistent: true, sha256, mac };
  return `${body}${JSON.stringify(trailer)}\n`;
}

function into({ kv, clock }: TestStore, text: string): RestoreOptions {
  const open = () => new Blob([text]).stream();
  return { kv, clock, open, keys: TEST_KEYS };
}

async function assertRefused(
  { kv }: TestStore,
  options: RestoreOptions,
  why: string,
): Promise<void> {
  const { refusal } = await assertRejects(() => restore(options), Refused);
  assert("message" in refusal);
  assertEquals(refusal.message, `Cannot restore the backup: ${why}`);
  assertEquals(kv.commits.length, 0);
}
