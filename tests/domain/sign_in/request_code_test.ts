import { sha256Hex } from "../../../domain/sha256.ts";
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { networksOf } from "../../../domain/rate_limit/network.ts";
import { Refused } from "../../../domain/refusal.ts";
import { requestCode } from "../../../domain/sign_in/request_code.ts";
import { MemoryLog } from "../../support/captured_logs.ts";
import { TEST_KEYS } from "../../support/keys.ts";
import { testLimiter } from "../../support/limiter.ts";
import { TEST_SETTINGS } from "../../support/site_app.ts";
import { openTestStore, type TestStore } from "../../support/store.ts";

const ADA = "ada@example.com";
const HOUR_MS = 3_600_000;
const MINUTES_10_MS = 600_000;

/** Two /64s of one /56, another of its /48, and an IPv4 address. */
const CLIENTS = [
  "2001:db8:1:2aa::/64",
  "2001:db8:1:2bb::/64",
  "2001:db8:1:300::/64",
  "192.0.2.1",
] as const;

/** What the rules say: how much each bucket holds, and gets an hour. */
function rulesOf(client: string, device: string | null, isRepeat: boolean) {
  const widths: [string, number][] = client.includes(":")
    ? [[client, 1], [householdOf(client), 2], ["2001:db8:1::/48", 4]]
    : [[client, 1]];
  const mails = widths.map(([id, factor]) => ({
    id: `mail ${id}`,
    holds: 20 * factor,
    anHour: 20 * factor,
  }));
  if (isRepeat) return { reserve: device === null ? null : [], mails };
  const toAda = widths.map(([id, factor]) => ({
    id: `ada ${id}`,
    holds: 5 * factor,
    anHour: factor,
  }));
  return {
    reserve: device === null ? null : [
      { id: `device ${device}`, holds: 5, anHour: 1 },
      { id: "devices", holds: 100, anHour: 4 },
    ],
    mails: [...mails, ...toAda, { id: "ada", holds: 120, anHour: 5 }],
  };
}

function householdOf(client: string): string {
  return client.includes(":2") ? "2001:db8:1:200::/56" : "2001:db8:1:300::/56";
}

type Rule = { id: string; holds: number; anHour: number };

/** Buckets as the rules describe them, and nothing else of the service. */
class Model {
  readonly #levels = new Map<string, number>();
  #rules = new Map<string, Rule>();

  pass(ms: number): void {
    for (const [id, level] of this.#levels) {
      const { holds, anHour } = this.#rules.get(id) ?? { holds: 0, anHour: 0 };
      this.#levels.set(id, Math.min(holds, level + ms * anHour / HOUR_MS));
    }
  }

  /** What the emptiest holds; a hair's breadth from a token is not judged. */
  least(rules: readonly Rule[]): number {
    return Math.min(
      ...rules.map(({ id, holds }) => this.#levels.get(id) ?? holds),
      Infinity,
    );
  }

  take(rules: readonly Rule[]): void {
    for (const rule of rules) {
      this.#rules.set(rule.id, rule);
      const level = this.#levels.get(rule.id) ?? rule.holds;
      this.#levels.set(rule.id, level - 1);
    }
  }
}

/** A browser that asks for Ada's code. */
interface Browser {
  device: string | null;
  /** Of the code it waits for. */
  secret: string | null;
  repeatsLeft: number;
  untilMs: number;
}

function servicesOf(test: TestStore) {
  const { store, clock, ids } = test;
  return {
    store,
    clock,
    ids,
    keys: TEST_KEYS,
    settings: TEST_SETTINGS,
    log: new MemoryLog(),
    limiter: testLimiter(test),
  };
}

const ask = fc.record({
  do: fc.constant("ask" as const),
  client: fc.nat(CLIENTS.length - 1),
  browser: fc.nat(3),
  times: fc.integer({ min: 1, max: 7 }),
});
const pass = fc.record({
  do: fc.constant("pass" as const),
  // Odd, so that no bucket holds exactly a token.
  ms: fc.oneof(fc.nat(400_000), fc.nat(9 * HOUR_MS)).map((ms) => ms * 2 + 1),
});
const forget = fc.record({
  do: fc.constant("forget" as const),
  browser: fc.nat(3),
});

Deno.test("requestCode() mails exactly what the rules of networks, devices and repeats allow", async () => {
  const script = fc.array(
    fc.oneof(
      { weight: 6, arbitrary: ask },
      { weight: 2, arbitrary: pass },
      { weight: 1, arbitrary: forget },
    ),
    { maxLength: 30 },
  );
  await fc.assert(
    fc.asyncProperty(script, async (actions) => {
      await using test = await openTestStore();
      const services = servicesOf(test);
      const model = new Model();
      const browsers: Browser[] = ["one", "two", null, null].map((device) => ({
        device,
        secret: null,
        repeatsLeft: 0,
        untilMs: 0,
      }));
      let mails = 0;
      for (const action of actions) {
        if (action.do === "pass") {
          test.clock.advance(action.ms);
          model.pass(action.ms);
          continue;
        }
        const browser = browsers[action.browser];
        assert(browser !== undefined);
        if (action.do === "forget") {
          browser.secret = null;
          continue;
        }
        const client = CLIENTS[action.client] ?? CLIENTS[0];
        for (let at = 0; at < action.times; at++) {
          if (await step(services, model, browser, client)) mails += 1;
        }
      }
      const queued = await services.store.listMails({ limit: 1_000 });
      assertEquals(queued.length, mails);
      await services.limiter.close();
    }),
    { numRuns: 40 },
  );
});

/** Asks once, holds the answer against the model; whether a mail was queued. */
async function step(
  services: ReturnType<typeof servicesOf>,
  model: Model,
  browser: Browser,
  client: string,
): Promise<boolean> {
  const nowMs = services.clock.now();
  const isRepeat = browser.secret !== null && browser.repeatsLeft > 0 &&
    nowMs < browser.untilMs;
  const { reserve, mails } = rulesOf(client, browser.device, isRepeat);
  const fromReserve = reserve !== null && model.least(reserve) >= 1;
  const charged = fromReserve ? reserve : mails;
  const isAllowed = model.least(charged) >= 1;
  const answer = await requestCode(services, {
    email: ADA,
    networks: networksOf(client),
    deviceId: browser.device,
    browserSecret: browser.secret,
    next: "/",
  }).catch((thrown) => {
    assert(thrown instanceof Refused);
    assertEquals(thrown.refusal.code, "sign_in_mails_exhausted");
    return null;
  });
  assertEquals(answer !== null, isAllowed);
  if (answer === null) return false;
  model.take(charged);
  const hash = sha256Hex(answer.browserSecret);
  assertEquals((await services.store.signInChallenges.find(hash))?.email, ADA);
  browser.repeatsLeft = isRepeat ? browser.repeatsLeft - 1 : 2;
  browser.secret = answer.browserSecret;
  browser.untilMs = nowMs + MINUTES_10_MS;
  return true;
}

Deno.test("requestCode() repeats a code that an earlier version saved", async () => {
  await using test = await openTestStore();
  const services = servicesOf(test);
  const asked = {
    email: ADA,
    networks: networksOf("192.0.2.1"),
    deviceId: null,
    browserSecret: null,
    next: "/",
  };
  const { browserSecret } = await requestCode(services, asked);
  const hash = sha256Hex(browserSecret);
  const saved = await services.store.signInChallenges.find(hash);
  assert(saved !== null);
  const { repeatsLeft: _, ...earlier } = saved;
  await services.store.transact((tx) => tx.signInChallenges.save(earlier));
  const again = await requestCode(services, { ...asked, browserSecret });
  const kept = await services.store.signInChallenges.find(
    sha256Hex(again.browserSecret),
  );
  assertEquals(kept?.repeatsLeft, 1);
  assertEquals(await services.store.signInChallenges.find(hash), null);
  await services.limiter.close();
});
