import { assertEquals } from "@std/assert";
import {
  answerOnce,
  done,
  type Keeping,
  made,
} from "../../../domain/idempotency/answer_once.ts";
import { refuse } from "../../../domain/refusal.ts";
import { dayText } from "../../support/public_spotlights.ts";
import { assertRefused } from "../../support/refused.ts";
import { openTestStore } from "../../support/store.ts";

const binding = {
  owner: "grant_1",
  operation: "POST /v1/agent/x",
  key: "k",
  requestHash: "h",
};
const nowMs = Date.parse("2026-11-20T12:00:00.000Z");
const keeping: Keeping = { binding, nowMs, keptMs: 500 };
const USE = {
  grantId: "grant_1",
  day: dayText("2026-11-20"),
  usedCents: 5,
  expiresAtMs: nowMs + 500,
};

Deno.test("answerOnce() does something once a key, and tells a repeat the same bytes", async () => {
  await using world = await openTestStore();
  let times = 0;
  const ask = (by: Keeping) =>
    world.store.transact((tx) =>
      answerOnce(tx, by, () => made({ b: ++times, a: ["é"] }))
    );
  const first = await ask(keeping);
  assertEquals(first, {
    value: { b: 1, a: ["é"] },
    answer: { status: 201, body: '{"b":1,"a":["é"]}' },
    replayed: false,
  });
  assertEquals(await ask(keeping), { ...first, replayed: true });
  assertEquals(times, 1);
  await ask({ ...keeping, binding: null });
  assertEquals(times, 2, "without a key it is done again");
  const other = { ...keeping, binding: { ...binding, requestHash: "i" } };
  await assertRefused(() => ask(other), "idempotency_conflict");
});

Deno.test("answerOnce() stores the answer in the commit of what it tells of", async () => {
  await using world = await openTestStore();
  const commits = world.kv.commits.length;
  await world.store.transact((tx) =>
    answerOnce(tx, keeping, () => {
      tx.mandateUses.save(USE);
      return done({ id: "x" });
    })
  );
  assertEquals(world.kv.commits.length, commits + 1);
  const { owner, operation, key } = binding;
  const kept = await world.store.idempotency.find(owner, operation, key);
  assertEquals(kept, {
    ...binding,
    state: "done",
    answer: { status: 200, body: '{"id":"x"}' },
    expiresAtMs: nowMs + 500,
  });
});

Deno.test("answerOnce() keeps nothing of what is refused", async () => {
  await using world = await openTestStore();
  await assertRefused(
    () =>
      world.store.transact((tx) =>
        answerOnce(tx, keeping, () => refuse({ code: "token_invalid" }))
      ),
    "token_invalid",
  );
  const { owner, operation, key } = binding;
  assertEquals(
    await world.store.idempotency.find(owner, operation, key),
    null,
  );
});

Deno.test("answerOnce() replays what an earlier version stored, byte for byte", async () => {
  await using world = await openTestStore();
  // Written with white space, as nothing here does.
  const answer = { status: 200, body: '{ "id": "x",  "removed": true }' };
  const row = { ...binding, state: "done", answer, expiresAtMs: nowMs + 500 };
  await world.store.transact((tx) => tx.idempotency.save(row as never));
  const told = await world.store.transact((tx) =>
    answerOnce(tx, keeping, () => done({ id: "y", removed: true }))
  );
  assertEquals(told, {
    value: { id: "x", removed: true },
    answer,
    replayed: true,
  });
});
