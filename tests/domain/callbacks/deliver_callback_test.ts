/** What is sent, signed how, how often, and what becomes of who takes nothing. */
import { assert, assertEquals } from "@std/assert";
import { createHmac } from "node:crypto";
import {
  CALLBACK_GIVEN_UP_MS,
  CALLBACK_PAUSES,
  SECRET_OVERLAP_MS,
} from "../../../domain/callbacks/callback.ts";
import { replayEvent } from "../../../domain/callbacks/replay_event.ts";
import {
  findCallback,
  setCallback,
} from "../../../domain/callbacks/set_callback.ts";
import {
  type CallbackPump,
  createCallbackPump,
} from "../../../domain/callbacks/callback_pump.ts";
import { sweepCallbacks } from "../../../domain/callbacks/sweep_callbacks.ts";
import { eventId, eventRecord } from "../../../domain/events/event.ts";
import { revokeGrant } from "../../../domain/oauth/revoke_grant.ts";
import { secretKeys } from "../../../config/secret_keys.ts";
import { everyCrashPoint, isCrash } from "../../support/faults.ts";
import { ManualTimer } from "../../support/timer.ts";
import {
  eventsOf,
  ONE_OF_EACH,
  removed,
  tell,
} from "../../support/told_events.ts";
import { until } from "../../support/until.ts";
import {
  openCallbackWorld,
  type Taken,
  URL_TEXT,
  wish,
} from "./callback_world.ts";

/** The signature as anybody makes it who has the secret. */
function signed(secret: string, { id, timestampS, body }: Taken): string {
  const key = Uint8Array.fromBase64(secret.slice("whsec_".length));
  const mac = createHmac("sha256", key).update(`${id}.${timestampS}.${body}`);
  return `v1,${mac.digest("base64")}`;
}

const daysOf = (came: readonly Taken[]) =>
  came.map(({ body }) => JSON.parse(body).data.day);

Deno.test("an event is sent once, signed, as the API tells it", async () => {
  await using open = await openCallbackWorld();
  const { services, receiver } = open;
  const { agent, secret } = await open.told("ada");
  await tell(services, agent.account.id, removed("a"));
  for (let nth = 0; nth < 3; nth++) await sweepCallbacks(services);
  const [event] = await eventsOf(services, agent.account.id);
  assert(event !== undefined);
  const [message, ...others] = receiver.came;
  assertEquals(others, []);
  assert(message !== undefined);
  assertEquals(message.url, URL_TEXT);
  assertEquals(message.id, eventId(event));
  assertEquals(JSON.parse(message.body), eventRecord(event));
  assertEquals(message.timestampS, services.clock.now() / 1_000);
  assertEquals(message.signatures, [signed(secret, message)]);
  const { deliveries, dueAtMs } = await open.callback(agent);
  assertEquals([deliveries.length, deliveries[0]?.status], [1, 204]);
  assertEquals(dueAtMs, null);
});

Deno.test("events are sent in their order, and only what the connection may see", async () => {
  await using open = await openCallbackWorld();
  const { services, receiver } = open;
  const { agent } = await open.told("ada");
  const { account } = agent;
  await tell(services, account.id, ...ONE_OF_EACH, removed("a"));
  await tell(services, account.id, removed("b"));
  await sweepCallbacks(services);
  assertEquals(
    receiver.came.map(({ body }) => JSON.parse(body).type),
    ["spotlight.removed", "spotlight.removed", "spotlight.removed"],
  );
  assertEquals(daysOf(receiver.came).slice(1), ["a", "b"]);
});

Deno.test("what is not taken is sent again under its id, more and more seldom, and after a day it is off, with a mail", async () => {
  await using open = await openCallbackWorld();
  const { services, receiver, world: { clock } } = open;
  const { agent } = await open.told("ada");
  await tell(services, agent.account.id, removed("a"));
  await tell(services, agent.account.id, removed("b"));
  const startMs = clock.now();
  for (const status of [500, null, 302, 404]) {
    receiver.status = status;
    await sweepCallbacks(services);
    await sweepCallbacks(services);
    clock.advance(60_000);
  }
  assertEquals(new Set(receiver.came.map(({ id }) => id)).size, 1);
  assertEquals(receiver.came.length, 4);
  for (; clock.now() - startMs < CALLBACK_GIVEN_UP_MS + 3_600_000;) {
    clock.advance(10 * 60_000);
    await sweepCallbacks(services);
  }
  const { off, deliveries } = await open.callback(agent);
  assertEquals([off, deliveries[0]?.status], ["failing", 404]);
  const tries = receiver.came.length;
  assert(tries > 10 && tries < 60, `${tries} tries in a day`);
  const mails = await services.store.listMails({ limit: 9 });
  assertEquals(mails.map(({ to }) => to), ["ada@example.com"]);
  assert(mails[0]?.text.includes("/agents"));

  // Set again, it goes on with what comes from then on.
  receiver.status = 200;
  receiver.came.length = 0;
  await setCallback(services, wish(agent));
  await tell(services, agent.account.id, removed("c"));
  await sweepCallbacks(services);
  assertEquals(daysOf(receiver.came), ["c"]);
});

Deno.test("after a while in vain everything is told, once it is taken", async () => {
  await using open = await openCallbackWorld();
  const { services, receiver, world: { clock } } = open;
  const { agent } = await open.told("ada");
  receiver.status = 503;
  for (const day of ["a", "b", "c"]) {
    await tell(services, agent.account.id, removed(day));
    await sweepCallbacks(services);
  }
  receiver.status = 200;
  receiver.came.length = 0;
  clock.advance(3_600_000);
  await sweepCallbacks(services);
  assertEquals(daysOf(receiver.came), ["a", "b", "c"]);
  const { failures, failingSinceMs } = await open.callback(agent);
  assertEquals([failures, failingSinceMs], [0, null]);
});

Deno.test("a crash before or after any commit sends each event at least once, under one id", async () => {
  const points = await everyCrashPoint(async (point) => {
    await using open = await openCallbackWorld();
    const { services, receiver, world } = open;
    const { agent } = await open.told("ada");
    const other = world.testStore.another();
    const doomed = { ...services, store: other.store };
    other.kv.crashAt(point);
    try {
      await tell(doomed, agent.account.id, removed("a"));
      await sweepCallbacks(doomed);
    } catch (error) {
      if (!isCrash(error)) throw error;
    }
    for (let minute = 0; minute < 3; minute++) {
      world.clock.advance(60_000);
      await sweepCallbacks(services);
    }
    const events = await eventsOf(services, agent.account.id);
    const ids = new Set(receiver.came.map(({ id }) => id));
    assertEquals([...ids], events.map(eventId), JSON.stringify(point));
    const { dueAtMs } = await open.callback(agent);
    assertEquals(dueAtMs, null);
    return other.kv.dead;
  });
  assert(points >= 6, `${points} crash points`);
});

Deno.test("two processes at once send an event once", async () => {
  await using open = await openCallbackWorld();
  const { services, receiver, world } = open;
  const { agent } = await open.told("ada");
  const isolates = Array.from({ length: 4 }, () => ({
    ...services,
    store: world.testStore.another().store,
  }));
  await tell(services, agent.account.id, removed("a"), removed("b"));
  await Promise.all(isolates.map((each) => sweepCallbacks(each)));
  assertEquals(daysOf(receiver.came), ["a", "b"]);
});

Deno.test("for a day after a rotation both secrets sign, and then the new one alone", async () => {
  await using open = await openCallbackWorld();
  const { services, receiver, world: { clock } } = open;
  const { agent, secret } = await open.told("ada");
  clock.advance(1_000);
  const { value } = await setCallback(services, wish(agent, URL_TEXT, true));
  assert(value.secret !== null);
  for (const waitMs of [SECRET_OVERLAP_MS - 1_000, 2_000]) {
    clock.advance(waitMs);
    await tell(services, agent.account.id, removed("a"));
    await sweepCallbacks(services);
  }
  const [during, afterwards] = receiver.came;
  assert(during !== undefined && afterwards !== undefined);
  assertEquals(during.signatures, [
    signed(value.secret, during),
    signed(secret, during),
  ]);
  assertEquals(afterwards.signatures, [signed(value.secret, afterwards)]);
});

Deno.test("a second rotation within the day ends the first secret at once", async () => {
  await using open = await openCallbackWorld();
  const { services, receiver } = open;
  const { agent } = await open.told("ada");
  const rotate = async () => {
    const again = wish(agent, URL_TEXT, true);
    return (await setCallback(services, again)).value.secret ?? "";
  };
  const [second, third] = [await rotate(), await rotate()];
  await tell(services, agent.account.id, removed("a"));
  await sweepCallbacks(services);
  const [came] = receiver.came;
  assert(came !== undefined);
  const signatures = [signed(third, came), signed(second, came)];
  assertEquals(came.signatures, signatures);
});

Deno.test("a callback whose secret no key makes any more is off, and gets another one when it is set", async () => {
  await using open = await openCallbackWorld();
  const { agent } = await open.told("ada");
  const keys = secretKeys({ secrets: ["n".repeat(40)] });
  const services = { ...open.services, keys };
  await tell(services, agent.account.id, removed("a"));
  await sweepCallbacks(services);
  assertEquals(open.receiver.came, []);
  assertEquals((await open.callback(agent)).off, "secret_gone");
  const { value } = await setCallback(services, wish(agent));
  assert(value.secret !== null);
});

Deno.test("a callback whose secret no key makes any more is off before anything is told, and goes on with another one once it is set", async () => {
  await using open = await openCallbackWorld();
  const { agent } = await open.told("ada");
  const keys = secretKeys({ secrets: ["n".repeat(40)] });
  const services = { ...open.services, keys };
  assertEquals((await findCallback(open.services, agent.grant.id))?.off, null);
  const found = await findCallback(services, agent.grant.id);
  assertEquals(found?.off, "secret_gone");
  await tell(services, agent.account.id, removed("a"));
  const { value } = await setCallback(services, wish(agent));
  assert(value.secret !== null);
  assertEquals(value.state, "on");
  await sweepCallbacks(services);
  const [came] = open.receiver.came;
  assert(came !== undefined);
  assertEquals(came.signatures, [signed(value.secret, came)]);
});

Deno.test("a connection that was revoked is told nothing more", async () => {
  await using open = await openCallbackWorld();
  const { services, receiver } = open;
  const { agent: { account, grant } } = await open.told("ada");
  await tell(services, account.id, removed("a"));
  await revokeGrant(services, { grantId: grant.id, accountId: account.id });
  await tell(services, account.id, removed("b"));
  await sweepCallbacks(services);
  assertEquals(receiver.came, []);
  const log = await services.store.eventLogs.find(account.id);
  assertEquals(log?.listeners, []);
});

Deno.test("nothing is sent while the store is on hold", async () => {
  await using open = await openCallbackWorld();
  const { services, receiver, world: { clock } } = open;
  const { agent } = await open.told("ada");
  await tell(services, agent.account.id, removed("a"));
  const restoredAtMs = clock.now();
  const held = {
    ...services,
    store: {
      ...services.store,
      currentHold: () =>
        Promise.resolve({ kind: "restore", restoredAtMs } as never),
    },
  };
  await sweepCallbacks(held);
  assertEquals(receiver.came, []);
  await sweepCallbacks(services);
  assertEquals(daysOf(receiver.came), ["a"]);
});

/** A world whose commits are told to a pump, as those of a service are. */
async function openPumped() {
  const timer = new ManualTimer();
  let pump: CallbackPump | null = null;
  const open = await openCallbackWorld({
    hooks: {
      onEventsNoted: (logs) => pump?.noteLogs(logs),
      onCallbacksChanged: (callbacks) => pump?.noteCallbacks(callbacks),
    },
  });
  pump = createCallbackPump(open.services, timer.start);
  return {
    ...open,
    timer,
    pump,
    async [Symbol.asyncDispose]() {
      await pump?.close();
      await open[Symbol.asyncDispose]();
    },
  };
}

Deno.test("a slow address delays nobody else", async () => {
  await using open = await openPumped();
  const { services, receiver } = open;
  const ada = await open.told("ada", { url: "https://slow.example/" });
  const bob = await open.told("bob");
  const slow = Promise.withResolvers<void>();
  receiver.before = (url) =>
    url.includes("slow") ? slow.promise : Promise.resolve();
  for (const { agent: { account } } of [ada, bob]) {
    await tell(services, account.id, removed(account.id), removed("next"));
  }
  await until(() => receiver.came.length >= 3);
  const urls = receiver.came.map(({ url }) => url).toSorted();
  assertEquals(urls, [URL_TEXT, URL_TEXT, "https://slow.example/"]);
  slow.resolve();
  await until(() => receiver.came.length === 4);
});

Deno.test("an event is sent at once, and again when its pause is over, without a job", async () => {
  await using open = await openPumped();
  const { services, receiver, timer, world: { clock } } = open;
  const { agent } = await open.told("ada");
  receiver.status = 500;
  await tell(services, agent.account.id, removed("a"));
  const { firstMs } = CALLBACK_PAUSES;
  await until(() => timer.waiting.includes(firstMs));
  receiver.status = 200;
  clock.advance(firstMs);
  timer.fire(firstMs);
  await until(async () => (await open.callback(agent)).dueAtMs === null);
  assertEquals(daysOf(receiver.came), ["a", "a"]);
  // Nothing is left that would look at the store by itself.
  assertEquals(timer.waiting, []);
});

Deno.test("an event is sent again when its owner asks, under its own id", async () => {
  await using open = await openCallbackWorld();
  const { services, receiver } = open;
  const { agent } = await open.told("ada");
  const { account, grant } = agent;
  await tell(services, account.id, removed("a"), removed("b"));
  await sweepCallbacks(services);
  const [first] = await eventsOf(services, account.id);
  const again = {
    accountId: account.id,
    grantId: grant.id,
    position: first?.position ?? 0,
  };
  await replayEvent(services, again);
  await replayEvent(services, again);
  await sweepCallbacks(services);
  const ids = receiver.came.map(({ id }) => id);
  assertEquals(ids, [ids[0], ids[1], ids[0]]);
  const { replays, dueAtMs } = await open.callback(agent);
  assertEquals([replays, dueAtMs], [[], null]);
});
