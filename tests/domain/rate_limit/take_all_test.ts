import { startTimer } from "../../../adapters/time/system_time.ts";
import { assert, assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import { StoreUnavailable } from "../../../domain/failure.ts";
import {
  type Charge,
  networkCharges,
  type NetworkPurpose,
} from "../../../domain/rate_limit/charge.ts";
import { createRateLimiter } from "../../../domain/rate_limit/create_rate_limiter.ts";
import type { RateLimiter } from "../../../domain/rate_limit/limiter.ts";
import {
  JOINT_BUCKETS_MAX,
  MAX_JOINT_WAITERS_OF_ONE,
} from "../../../domain/rate_limit/limits.ts";
import { networksOf, widestOf } from "../../../domain/rate_limit/network.ts";
import { NETWORK_POLICIES } from "../../../domain/rate_limit/policy.ts";
import { TooManyWaiting } from "../../../domain/rate_limit/uncounted.ts";
import { ManualClock, TEST_START_MS } from "../../support/clock.ts";
import { openLimiter } from "./fixture.ts";
import {
  type Action,
  advances,
  fates,
  openStepped,
  play,
  scriptOf,
  steps,
  takes,
} from "./scripts.ts";
import { type Fate, settle, SteppedRows } from "./stepped_rows.ts";

/** One narrow bucket for each client, two that several share. */
const POLICIES = {
  narrow: { capacity: 2, refillPerS: 1 },
  wide: { capacity: 4, refillPerS: 2 },
  all: { capacity: 5, refillPerS: 3 },
} as const;

const CLIENTS = [["a", "ab"], ["b", "ab"], ["c", "cd"], ["d", "cd"]] as const;

function chargesOf(client: number): Charge[] {
  const [narrow, wide] = CLIENTS[client] ?? CLIENTS[0];
  return [
    { id: narrow, policy: POLICIES.narrow },
    { id: wide, policy: POLICIES.wide },
    { id: "all", policy: POLICIES.all },
  ];
}

/** Several isolates on one store, and what they admitted of each bucket. */
class Fleet {
  readonly clock = new ManualClock();
  readonly rows = new SteppedRows(this.clock);
  readonly admitted = new Map<string, number>();
  readonly limiters: RateLimiter[];
  denied = 0;
  failed = 0;

  constructor(isolates: number) {
    this.limiters = Array.from({ length: isolates }, () =>
      createRateLimiter({
        rows: this.rows.isolate(),
        clock: this.clock,
        startTimer,
        hashId: (text) => text,
        maxWaitMs: Infinity,
      }));
  }

  async take(isolate: number, client: number): Promise<void> {
    const charges = chargesOf(client);
    try {
      const verdict = await this.limiters[isolate]?.takeAll(
        charges,
        `${client}`,
      );
      if (!verdict?.admitted) this.denied += 1;
      else for (const charge of charges) this.#count(charge);
    } catch (error) {
      assert(error instanceof StoreUnavailable);
      this.failed += 1;
    }
  }

  #count({ id, policy: { capacity, refillPerS } }: Charge): void {
    const count = (this.admitted.get(id) ?? 0) + 1;
    this.admitted.set(id, count);
    const elapsedMs = this.clock.now() - TEST_START_MS;
    const bound = capacity + Math.floor(elapsedMs * refillPerS / 1_000);
    assert(count <= bound, `${id}: admitted ${count}, the bound is ${bound}`);
  }
}

function scripts(fate: fc.Arbitrary<Fate>): fc.Arbitrary<Action[]> {
  return scriptOf(
    { minLength: 5, maxLength: 60 },
    [5, takes(2, CLIENTS.length, 1)],
    [6, steps(fate)],
    [1, advances(fc.constantFrom(0, 300, 1_000, 70_000))],
  );
}

Deno.test("takeAll() never admits more than any bucket's bound over two isolates, however calls interleave and fail", async () => {
  await fc.assert(
    fc.asyncProperty(scripts(fates()), (script) => play(new Fleet(2), script)),
    { numRuns: 500 },
  );
});

Deno.test("takeAll() gives what a model of one store gives, in the order of asking", async () => {
  const asked = fc.array(
    fc.record({
      client: fc.nat(CLIENTS.length - 1),
      afterMs: fc.constantFrom(0, 0, 250, 1_000),
    }),
    { maxLength: 40 },
  );
  await fc.assert(
    fc.asyncProperty(asked, async (all) => {
      await using fixture = await openLimiter({ hashId: (text) => text });
      const model = new Map<string, number>();
      for (const { client, afterMs } of all) {
        fixture.clock.advance(afterMs);
        const charges = chargesOf(client);
        for (const { id, policy } of charges) {
          const full = policy.capacity * 1_000;
          const grown = (model.get(id) ?? full) + afterMs * policy.refillPerS;
          model.set(id, Math.min(full, grown));
        }
        for (const [id, left] of model) {
          if (charges.some((charge) => charge.id === id)) continue;
          const policy = id.length === 1 ? POLICIES.narrow : POLICIES.wide;
          const grown = left + afterMs * policy.refillPerS;
          model.set(id, Math.min(policy.capacity * 1_000, grown));
        }
        const fits = charges.every(({ id }) => (model.get(id) ?? 0) >= 1_000);
        const verdict = await fixture.limiter.takeAll(charges, `${client}`);
        assertEquals(verdict.admitted, fits);
        if (!fits) continue;
        for (const { id } of charges) {
          model.set(id, (model.get(id) ?? 0) - 1_000);
        }
      }
    }),
    { numRuns: 60 },
  );
});

Deno.test("takeAll() takes nothing from the others when one is empty, and says which and for how long", async () => {
  await using fixture = await openLimiter({ hashId: (text) => text });
  const { limiter, kv, clock } = fixture;
  const narrow = { id: "n", policy: POLICIES.narrow };
  const wide = { id: "w", policy: POLICIES.wide };
  for (let at = 0; at < 2; at++) await limiter.takeAll([narrow, wide], "a");
  const commits = kv.commits.length;
  for (let at = 0; at < 9; at++) {
    assertEquals(await limiter.takeAll([wide, narrow], "a"), {
      admitted: false,
      retryAfterS: 1,
      emptied: "n",
    });
  }
  assertEquals(kv.commits.length, commits, "a denial writes nothing");
  // The wide one still holds its other two.
  assertEquals((await limiter.takeAll([wide], "a")).admitted, true);
  assertEquals((await limiter.takeAll([wide], "a")).admitted, true);
  assertEquals((await limiter.takeAll([wide], "a")).admitted, false);
  clock.advance(1_000);
  assertEquals((await limiter.takeAll([narrow, wide], "a")).admitted, true);
});

Deno.test("takeAll() admits exactly the capacity of many at once", async () => {
  await using fixture = await openLimiter({ hashId: (text) => text });
  const verdicts = await Promise.all(
    Array.from(
      { length: 60 },
      (_, at) =>
        fixture.limiter.takeAll(chargesOf(at % CLIENTS.length), `${at}`),
    ),
  );
  const admitted = verdicts.filter((verdict) => verdict.admitted).length;
  assertEquals(admitted, POLICIES.all.capacity);
});

Deno.test("takeAll() never sends a commit of more than 9 checks", async () => {
  await using fixture = await openLimiter({ hashId: (text) => text });
  await Promise.all(Array.from({ length: 40 }, (_, at) => {
    const ids = [`n${at}`, `w${at >> 2}`, `s${at >> 3}`, "all"];
    const policy = { capacity: 100, refillPerS: 1 };
    return fixture.limiter.takeAll(ids.map((id) => ({ id, policy })), `${at}`);
  }));
  const checks = fixture.kv.commits.map((commit) => commit.checks.length);
  assert(checks.length > 1 && Math.max(...checks) <= JOINT_BUCKETS_MAX);
});

Deno.test("takeAll() refuses those who waited too long and those who are too many", async () => {
  const { clock, rows, limiter } = openStepped({
    maxWaiters: 3,
    maxWaitMs: 5_000,
  });
  const charges = [{ id: "x", policy: POLICIES.all }];
  const first = limiter.takeAll(charges, "a");
  await rows.step(0, "apply"); // it has read, and its commit waits
  const second = limiter.takeAll([{ id: "y", policy: POLICIES.all }], "a");
  const rest = [limiter.takeAll(charges, "a"), limiter.takeAll(charges, "a")];
  await assertRejects(() => limiter.takeAll(charges, "a"), StoreUnavailable);
  clock.advance(5_001);
  const late = assertRejects(() => second, StoreUnavailable);
  const others = rest.map((each) =>
    assertRejects(() => each, StoreUnavailable)
  );
  await rows.drain();
  assertEquals((await first).admitted, true);
  await late;
  await Promise.all(others);
  await limiter.close();
});

Deno.test("takeAll() takes no more once the limiter is closed", async () => {
  await using fixture = await openLimiter();
  await fixture.limiter.close();
  await assertRejects(
    () => fixture.limiter.takeAll(chargesOf(0), "a"),
    StoreUnavailable,
  );
});

/** An isolate whose store does nothing until the test lets it. */
function openRegistrations() {
  const stepped = openStepped({ maxWaiters: 1_000 });
  const register = (address: string) => {
    const networks = networksOf(address);
    const charges = networkCharges("registration", networks);
    return stepped.limiter.takeAll(charges, widestOf(networks));
  };
  return { ...stepped, register };
}

/** One of the 65,536 /64s of the same /48. */
const linkOf = (nth: number) => `2001:db8:1:${nth.toString(16)}::/64`;

Deno.test("a flood from a /48 whose bucket is empty costs no call of the store and delays nobody, until its next token is due", async () => {
  const { clock, rows, limiter, register } = openRegistrations();
  for (let nth = 0; nth < 41; nth++) {
    const one = register(linkOf(nth << 8));
    await rows.drain();
    assertEquals((await one).admitted, nth < 40);
  }
  const calls = rows.calls.length;
  const flood = Array.from(
    { length: 2_000 },
    (_, nth) => register(linkOf(nth)),
  );
  const honest = register("192.0.2.1");
  for (const verdict of await Promise.all(flood)) {
    assertEquals(verdict, {
      admitted: false,
      retryAfterS: 90,
      emptied: "registration:2001:db8:1::/48",
    });
  }
  await rows.drain();
  assertEquals((await honest).admitted, true);
  assertEquals(rows.calls.slice(calls), [
    "commit registration:192.0.2.1",
  ]);
  clock.advance(89_999);
  assertEquals((await register(linkOf(0x7700))).admitted, false);
  assertEquals(rows.calls.length, calls + 1);
  clock.advance(1);
  const due = register(linkOf(0x7700));
  await rows.drain();
  assertEquals((await due).admitted, true);
  await limiter.close();
});

Deno.test("as many of one asker wait to be counted as any network has tokens at once", () => {
  const networks = networksOf("2001:db8:1::/64");
  const purposes = Object.keys(NETWORK_POLICIES) as NetworkPurpose[];
  const bursts = purposes.flatMap((purpose) =>
    networkCharges(purpose, networks).map(({ policy }) => policy.capacity)
  );
  assert(Math.max(...bursts) <= MAX_JOINT_WAITERS_OF_ONE);
});

Deno.test("while one /48 floods a limiter, other networks take turns with it and few of its requests wait", async () => {
  const { rows, limiter, register } = openRegistrations();
  const flood = Array.from(
    { length: 1_100 },
    (_, nth) => register(linkOf(nth << 8 & 0xffff | nth >> 8)),
  );
  const refused = flood.map((each) =>
    each.then(() => 0, (error) => {
      assert(error instanceof TooManyWaiting);
      return 1;
    })
  );
  const others = Array.from(
    { length: 35 },
    (_, nth) => register(`192.0.2.${nth}`),
  );
  let steps = 0;
  const ended = Promise.all(others).then((verdicts) => {
    assert(verdicts.every(({ admitted }) => admitted));
    return true;
  });
  // A read and a commit each, with up to 9 buckets in a commit.
  for (; steps < 14; steps++) await rows.step();
  assertEquals(await Promise.race([ended, settle().then(() => false)]), true);
  await rows.drain();
  const count = (await Promise.all(refused)).filter((each) => each === 1);
  assertEquals(count.length, 1_100 - MAX_JOINT_WAITERS_OF_ONE);
  await limiter.close();
});

Deno.test("a network that waits for its turn with an empty bucket is answered without the store", async () => {
  const { rows, limiter } = openRegistrations();
  const last = [{ id: "x", policy: { capacity: 1, refillPerS: 1 } }];
  const first = limiter.takeAll(last, "a");
  await rows.step();
  const waiting = [limiter.takeAll(last, "b"), limiter.takeAll(last, "c")];
  await rows.drain();
  assertEquals((await first).admitted, true);
  for (const verdict of await Promise.all(waiting)) {
    assertEquals(verdict.admitted, false);
  }
  assertEquals(rows.calls, ["read x", "commit x"]);
  await limiter.close();
});
