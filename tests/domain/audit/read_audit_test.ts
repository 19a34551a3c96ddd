import { assertEquals } from "@std/assert";
import { actAs } from "../../../domain/audit/act_as.ts";
import type { ActBy } from "../../../domain/audit/operator_act.ts";
import {
  type ActPlace,
  type AuditFilter,
  readAudit,
} from "../../../domain/audit/read_audit.ts";
import { openTestStore, type TestStore } from "../../support/store.ts";

const ADA: ActBy = {
  kind: "account",
  accountId: "acc_op",
  email: "ada@example.com",
};
const KEY: ActBy = { kind: "key", name: "night shift" };
const ANY: AuditFilter = {
  subject: null,
  person: null,
  fromMs: 0,
  untilMs: 4e12,
};

/** Twelve acts a second apart: every second by the key, every third about b. */
async function openAudit(): Promise<{ test: TestStore; beganMs: number }> {
  const test = await openTestStore();
  const beganMs = test.clock.now();
  for (let nth = 0; nth < 12; nth++) {
    const by = nth % 2 === 0 ? ADA : KEY;
    const subject = nth % 3 === 0 ? "acc_b" : "acc_a";
    const order = { by, act: "account.suspend", subject } as const;
    await actAs(
      test,
      { ...order, reason: String(nth) },
      () => Promise.resolve(),
    );
    test.clock.advance(1_000);
  }
  return { test, beganMs };
}

async function readAll(
  test: TestStore,
  filter: Partial<AuditFilter>,
  limit = 2,
): Promise<string[]> {
  const reasons: string[] = [];
  let before: ActPlace | null = null;
  do {
    const part = await readAudit(test, { ...ANY, ...filter }, {
      limit,
      before,
    });
    reasons.push(...part.acts.map(({ reason }) => reason ?? ""));
    before = part.next;
  } while (before !== null);
  return reasons;
}

Deno.test("readAudit() reads every line once, the newest first, page after page", async () => {
  const { test } = await openAudit();
  await using _ = test;
  const all = Array.from({ length: 12 }, (_, nth) => String(11 - nth));
  for (const limit of [1, 2, 5, 12, 50]) {
    assertEquals(await readAll(test, {}, limit), all);
  }
});

Deno.test("readAudit() filters by subject, by person, by both and by time", async () => {
  const { test, beganMs } = await openAudit();
  await using _ = test;
  assertEquals(await readAll(test, { subject: "acc_b" }), ["9", "6", "3", "0"]);
  assertEquals(
    await readAll(test, { person: "night shift" }),
    ["11", "9", "7", "5", "3", "1"],
  );
  const both = { subject: "acc_b", person: "ada@example.com" };
  assertEquals(await readAll(test, both), ["6", "0"]);
  assertEquals(await readAll(test, both, 1), ["6", "0"]);
  const span = { fromMs: beganMs + 3_000, untilMs: beganMs + 6_000 };
  assertEquals(await readAll(test, span), ["5", "4", "3"]);
  assertEquals(await readAll(test, { ...span, subject: "acc_b" }), ["3"]);
});

Deno.test("readAudit() finds nothing of a subject or a time that there is not", async () => {
  const { test } = await openAudit();
  await using _ = test;
  for (
    const filter of [
      { subject: "acc_c" },
      { subject: "x".repeat(5_000) },
      { person: "Ada@example.com" },
      { fromMs: 10, untilMs: 5 },
    ]
  ) assertEquals(await readAll(test, filter), []);
});
