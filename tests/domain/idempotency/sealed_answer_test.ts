import { assert, assertEquals } from "@std/assert";
import {
  answerOnce,
  done,
  type Keeping,
} from "../../../domain/idempotency/answer_once.ts";
import { secretKeys } from "../../../config/secret_keys.ts";
import { openTestStore } from "../../support/store.ts";
import { TEST_KEYS, TEST_SECRET } from "../../support/keys.ts";

const NEW_SECRET = "n".repeat(40);
const nowMs = Date.parse("2026-11-20T12:00:00.000Z");
const bound = {
  owner: "grant_1",
  operation: "POST /v1/agent/x",
  key: "k",
  requestHash: "h",
};
const keeping: Keeping = {
  binding: { ...bound, sealedBy: TEST_KEYS },
  nowMs,
  keptMs: 500,
};

/** A link as long as those of processors, with a letter outside of ASCII. */
const SECRET = `https://pay.example/p/${"é".repeat(120)}`;

async function opened() {
  const world = await openTestStore();
  let times = 0;
  const ask = (by: Keeping) =>
    world.store.transact((tx) =>
      answerOnce(tx, by, () => done({ url: SECRET, times: ++times }))
    );
  const row = () =>
    world.store.idempotency.find("grant_1", bound.operation, "k");
  return { world, ask, row };
}

Deno.test("a secret answer is stored sealed, and a repeat gets the same bytes", async () => {
  const { world, ask, row } = await opened();
  await using _ = world;
  const first = await ask(keeping);
  assertEquals(first.value.url, SECRET);
  const stored = JSON.stringify(await row());
  assert(!stored.includes("pay.example"));
  assert(!stored.includes(btoa("https://pay.example").slice(0, 20)));
  assertEquals(await ask(keeping), { ...first, replayed: true });
  const sealedBy = secretKeys({ secrets: [NEW_SECRET, TEST_SECRET] });
  const later = { ...keeping, binding: { ...bound, sealedBy } };
  assertEquals(await ask(later), { ...first, replayed: true });
});

Deno.test("a secret answer whose key is no longer in use is made anew", async () => {
  const { world, ask } = await opened();
  await using _ = world;
  await ask(keeping);
  const sealedBy = secretKeys({ secrets: [NEW_SECRET] });
  const binding = { ...bound, sealedBy };
  const anew = await ask({ ...keeping, binding });
  assertEquals([anew.replayed, anew.value.times], [false, 2]);
});

Deno.test("a secret answer that was stored before answers were sealed is repeated as it is", async () => {
  const { world, ask } = await opened();
  await using _ = world;
  const first = await ask({ ...keeping, binding: bound });
  assertEquals(await ask(keeping), { ...first, replayed: true });
});
