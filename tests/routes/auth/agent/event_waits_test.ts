/** Requests that wait for events: what wakes them, and what ends them. */
import { assert, assertEquals } from "@std/assert";
import {
  createEventWaits,
  LOOK_MS,
  WAITS_MAX,
} from "../../../../domain/events/event_waits.ts";
import type { WaitFor } from "../../../../domain/events/waits.ts";
import { revokeGrant } from "../../../../domain/oauth/revoke_grant.ts";
import { MemoryLog } from "../../../support/captured_logs.ts";
import { callTool } from "../../../support/mcp_agent.ts";
import { openTestStore } from "../../../support/store.ts";
import { ManualTimer } from "../../../support/timer.ts";
import { removed, tell } from "../../../support/told_events.ts";
import { until } from "../../../support/until.ts";
import { openWaitingApi, WAIT, WAIT_MS } from "../../../support/waiting_api.ts";

Deno.test("a request that waits is answered by an event of this process at once", async () => {
  await using waiting = await openWaitingApi();
  const { api, ada, timer } = waiting;
  const { answered } = await waiting.wait();
  await tell(api.world.services, ada.account.id, removed("a"));
  const { status, body } = await answered;
  assertEquals([status, body.items[0].data], [200, { day: "a" }]);
  assertEquals(timer.waiting.includes(WAIT_MS), false);

  const tool = callTool(api, ada, "list_events", {
    after: body.after,
    wait: 15,
  });
  await until(() => timer.waiting.includes(15_000));
  await tell(api.world.services, ada.account.id, removed("b"));
  assertEquals((await tool).content.items[0].data, { day: "b" });
});

Deno.test("a request that waits finds an event of another process at the next look", async () => {
  await using waiting = await openWaitingApi();
  const { api, ada, timer } = waiting;
  const { answered } = await waiting.wait();
  const { services, testStore } = api.world;
  const other = { ...services, store: testStore.another().store };
  // What it may not be told wakes it, and it goes on waiting.
  await tell(other, ada.account.id, {
    type: "payment_method.refused",
    data: { payment_method_id: "pm_1" },
  });
  timer.fire(LOOK_MS);
  await until(() => timer.waiting.includes(LOOK_MS));
  await tell(other, ada.account.id, removed("a"));
  timer.fire(LOOK_MS);
  const { body } = await answered;
  assertEquals(body.items.length, 1);
  assertEquals(body.items[0].data, { day: "a" });
});

Deno.test("a request that waits for nothing is answered with no items when its time is over", async () => {
  await using waiting = await openWaitingApi();
  const { answered } = await waiting.wait();
  waiting.timer.fire(WAIT_MS);
  const { status, body } = await answered;
  assertEquals([status, body.items, body.has_more], [200, [], false]);
});

Deno.test("a request that waits is 401 once its grant is revoked", async () => {
  await using waiting = await openWaitingApi();
  const { api: { world: { services } }, ada, timer } = waiting;
  const { answered } = await waiting.wait();
  const { account, grant } = ada;
  await revokeGrant(services, { grantId: grant.id, accountId: account.id });
  timer.fire(LOOK_MS);
  assertEquals((await answered).status, 401);
});

Deno.test("a request that waits is 401 once its token or its mandate has ended", async () => {
  await using waiting = await openWaitingApi();
  const { answered } = await waiting.wait();
  waiting.api.world.clock.advance(3_600_000);
  waiting.timer.fire(LOOK_MS);
  assertEquals((await answered).status, 401);
});

Deno.test("a stop, a client that goes and a newer request end a wait at once", async () => {
  await using waiting = await openWaitingApi();
  const { answered: first } = await waiting.wait();
  const others = [];
  for (let nth = 1; nth <= WAITS_MAX.grant; nth++) {
    const isWaiting = waiting.timer.waiting.length;
    others.push(waiting.api.ask(WAIT, { as: waiting.ada }));
    await until(() =>
      waiting.timer.waiting.length > isWaiting || nth === WAITS_MAX.grant
    );
  }
  assertEquals((await first).body.items, []);
  waiting.stopping.abort();
  for (const answer of await Promise.all(others)) {
    assertEquals((await answer.json()).items, []);
  }

  await using unit = await openUnit();
  const gone = new AbortController();
  const one = unit.waits.begin({ ...WHO, gone: gone.signal });
  const over = one.next(0);
  gone.abort();
  await over;
  assert(one.isOver);
});

/** Who waits in the tests of waiting alone. */
const WHO: WaitFor = {
  accountId: "acc_ada",
  grantId: "grant_1",
  ms: WAIT_MS,
  gone: new AbortController().signal,
  stillMay: () => Promise.resolve(),
};

async function openUnit() {
  const test = await openTestStore();
  const timer = new ManualTimer();
  const stopping = new AbortController();
  const waits = createEventWaits({
    store: test.store,
    startTimer: timer.start,
    log: new MemoryLog(),
    stopping: stopping.signal,
  });
  const close = () => test.close();
  return { waits, timer, test, [Symbol.asyncDispose]: close };
}

Deno.test("of an account ten requests wait, and of a process so many", async () => {
  await using unit = await openUnit();
  const first = unit.waits.begin(WHO);
  const ofAccount = Array.from(
    { length: WAITS_MAX.account },
    (_, nth) => unit.waits.begin({ ...WHO, grantId: `grant_of_${nth}` }),
  );
  assertEquals(first.isOver, true);
  assertEquals(ofAccount.filter(({ isOver }) => isOver), []);
  const others = Array.from(
    { length: WAITS_MAX.process },
    (_, nth) =>
      unit.waits.begin({
        ...WHO,
        accountId: `acc_${nth}`,
        grantId: `gr_${nth}`,
      }),
  );
  assertEquals(ofAccount.every(({ isOver }) => isOver), true);
  assertEquals(others.filter(({ isOver }) => isOver), []);
  // One timer each, and one for all that looks at the store.
  assertEquals(unit.timer.waiting.length, WAITS_MAX.process + 1);
});

Deno.test("a hundred accounts that ask all the time have no other's request give way", async () => {
  await using unit = await openUnit();
  const honest = unit.waits.begin(WHO);
  const count = WAITS_MAX.process / WAITS_MAX.account;
  for (let nth = 0; nth < 2 * WAITS_MAX.process; nth++) {
    unit.waits.begin({
      ...WHO,
      accountId: `acc_${nth % count}`,
      grantId: `gr_${nth}`,
    });
  }
  assertEquals(honest.isOver, false);
});

Deno.test("nobody looks at the store while nobody waits", async () => {
  await using unit = await openUnit();
  const wait = unit.waits.begin(WHO);
  assertEquals(unit.timer.waiting, [WAIT_MS, LOOK_MS]);
  wait.end();
  unit.timer.fire(LOOK_MS);
  await unit.test.store.eventLogs.find("acc_ada");
  assertEquals(unit.timer.waiting, []);
  unit.waits.begin(WHO);
  assertEquals(unit.timer.waiting, [WAIT_MS, LOOK_MS]);
});

Deno.test("a store that does not answer a look ends no wait", async () => {
  await using unit = await openUnit();
  const wait = unit.waits.begin(WHO);
  let isWoken = false;
  const woken = wait.next(0).then(() => isWoken = true);
  unit.test.kv.inject({ on: "read", fault: { kind: "fail_before" }, times: 9 });
  unit.timer.fire(LOOK_MS);
  await until(() => unit.timer.waiting.includes(LOOK_MS));
  assertEquals([wait.isOver, isWoken], [false, false]);
  const other = { ...unit.test, store: unit.test.another().store };
  await tell(other, WHO.accountId, removed("a"));
  await until(() => {
    unit.timer.fire(LOOK_MS);
    return isWoken;
  });
  await woken;
  assertEquals(wait.isOver, false);
});
