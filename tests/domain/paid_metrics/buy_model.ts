/**
 * Anything that may happen to payers, and what has to be true of it.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { DAY_MS } from "../../../domain/day.ts";
import type { Processor } from "../../../domain/payments/processor.ts";
import type { FaultKind } from "../../../simulators/stripe/mod.ts";
import { crashingProcessor } from "../../support/crashing_processor.ts";
import { type Fault, NETWORK_FAULTS } from "../../support/faults.ts";
import {
  type Ask,
  credential,
  DAY,
  offer,
  outcomeOf,
  type PaidWorld,
} from "../../support/paid_world.ts";

/** One thing that happens. */
export type Event =
  | { kind: "present"; payer: number; key: number | null; times: number }
  | { kind: "present_twice_a_process"; payer: number }
  | { kind: "present_other_token"; payer: number }
  | { kind: "crash_at_commit"; payer: number; nth: number; after: boolean }
  | { kind: "crash_at_call"; payer: number; nth: number; after: boolean }
  | {
    kind: "processor_fault";
    fault: FaultKind;
    path: string;
    saved: boolean;
    times: number;
  }
  | { kind: "store_fault"; fault: Fault["kind"]; nth: number }
  | { kind: "pass"; ms: number }
  | { kind: "sweep" }
  | { kind: "resolve"; how: "succeed" | "fail" }
  | { kind: "remove" };

/** A payer with one challenge and one token. */
interface Payer {
  id: string;
  challenge: Record<string, string>;
  token: string;
  heard: string[];
  answeredAtMs?: number;
  /** It came again within 24 hours of its answer, and the day was removed. */
  cameForRemoved?: boolean;
  /** The keys it has ever sent, and those it was answered with. */
  answers: { key: number | null; body: string; receipt: string }[];
}

const CARDS = [
  "pm_card_visa",
  "pm_card_de",
  "pm_card_chargeDeclined",
  "pm_card_authenticationRequired",
];
/** More than any story has. */
export const PAYERS = 3;

const payer = fc.nat({ max: PAYERS - 1 });
const nth = fc.integer({ min: 1, max: 4 });

/** Any event, the likelier ones more often. */
export const event: fc.Arbitrary<Event> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("present" as const),
      payer,
      key: fc.option(fc.nat({ max: 2 })),
      times: fc.integer({ min: 1, max: 3 }),
    }),
  },
  fc.record({ kind: fc.constant("present_twice_a_process" as const), payer }),
  fc.record({ kind: fc.constant("present_other_token" as const), payer }),
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        "crash_at_commit" as const,
        "crash_at_call" as const,
      ),
      payer,
      nth,
      after: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("processor_fault" as const),
      fault: fc.constantFrom<FaultKind>(
        "timeout_after_effect",
        "error_after_effect",
        "error_before_effect",
        "reset_before_effect",
        "reset_after_effect",
        "rate_limit",
        "lock_timeout",
        "processing",
        "requires_action",
        "decline",
      ),
      path: fc.constantFrom(
        "/v1/payment_intents",
        "/v1/payment_intents/**",
        "/v1/refunds",
      ),
      saved: fc.boolean(),
      times: fc.integer({ min: 1, max: 3 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("store_fault" as const),
      fault: fc.constantFrom<Fault["kind"]>(
        "fail_before",
        "fail_after",
        "conflict",
        "locked",
        ...NETWORK_FAULTS,
      ),
      nth,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("pass" as const),
      ms: fc.constantFrom(1_000, 6_000, 46_000, 301_000, 3_600_000, 43_200_000),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("sweep" as const) }) },
  fc.record({
    kind: fc.constant("resolve" as const),
    how: fc.constantFrom("succeed" as const, "fail" as const),
  }),
  fc.record({ kind: fc.constant("remove" as const) }),
);

/** Everything that is known of a story while it is told. */
export class BuyModel {
  readonly #shop: PaidWorld;
  readonly #payers: Payer[] = [];
  readonly #asks: Ask[] = [];
  /** Deaths and lost commits so far: each may have an answer given again. */
  #mishaps = 0;
  #removed = false;

  private constructor(shop: PaidWorld) {
    this.#shop = shop;
  }

  /** Payers with challenges, and two processes. */
  static async open(shop: PaidWorld, cards: number[]): Promise<BuyModel> {
    const model = new BuyModel(shop);
    model.#asks.push(shop.ask);
    model.#asks.push(await shop.asking(shop.world.another().services));
    for (let n = 0; n < PAYERS; n++) {
      const card = CARDS[cards[n] ?? 0] ?? "pm_card_visa";
      const token = await shop.token({ card });
      const { challenge } = await offer(shop, { token });
      const id = challenge["id"] ?? "";
      model.#payers.push({ id, challenge, token, heard: [], answers: [] });
    }
    return model;
  }

  /** Lets one thing happen. */
  async happen(event: Event): Promise<void> {
    const { world } = this.#shop;
    const { control } = world.simulator;
    switch (event.kind) {
      case "present":
        for (let time = 0; time < event.times; time++) {
          await this.#present(event.payer, event.key, this.#asks[time % 2]);
        }
        return;
      case "present_twice_a_process":
        await Promise.all(
          [0, 1, 0, 1].map((process) =>
            this.#present(event.payer, null, this.#asks[process])
          ),
        );
        return;
      case "present_other_token":
        return await this.#presentOther(event.payer);
      case "crash_at_commit":
      case "crash_at_call":
        return await this.#crash(event);
      case "processor_fault":
        control.addFault({
          kind: event.fault,
          path: event.path,
          saved: event.saved,
          times: event.times,
        });
        return;
      case "store_fault":
        this.#mishaps += 1;
        world.kv.inject({
          on: "commit",
          key: ([family]) => family === "metrics_payments",
          nth: world.kv.commits.length + event.nth,
          fault: { kind: event.fault } as Fault,
        });
        return;
      case "pass":
        world.clock.advance(event.ms);
        return;
      case "sweep":
        return await this.#shop.sweep();
      case "resolve":
        control.objects("payment_intent")
          .filter(({ status }) => status === "processing")
          .forEach(({ id }) => control.resolvePayment(id, event.how));
        return;
      case "remove":
        this.#removed = true;
        return await this.#shop.remove(DAY);
    }
  }

  /**
   * Ends what is under way, has the payers come back, all but those who don't,
   * and looks at it all.
   */
  async end(goneForEver: number | null): Promise<void> {
    const { control } = this.#shop.world.simulator;
    control.clearFaults();
    control.objects("payment_intent")
      .filter(({ status }) => status === "processing")
      .forEach(({ id }) => control.resolvePayment(id, "succeed"));
    // Faults of the store that are still planned meet these commits.
    await this.#shop.sweep({ minutes: 90 });
    for (const [n] of this.#payers.entries()) {
      if (n !== goneForEver) await this.#comeBack(n);
    }
    await this.#shop.sweep({ minutes: 2_000, everyMinutes: 8 });
    this.#checkMoney();
    await this.#checkBooks();
  }

  async #present(
    nth: number,
    key: number | null,
    ask: Ask = this.#shop.ask,
  ): Promise<string> {
    const payer = this.#payer(nth);
    const authorization = credential(payer.challenge, { spt: payer.token });
    const answer = await ask({
      authorization,
      key: key === null ? undefined : `key-${nth}-${key}`,
    });
    const body = answer.status === 200 ? await answer.clone().text() : "";
    const receipt = answer.headers.get("payment-receipt") ?? "";
    const outcome = await outcomeOf(answer);
    payer.heard.push(outcome);
    const nowMs = this.#shop.world.clock.now();
    if (outcome === "200") payer.answeredAtMs ??= nowMs;
    payer.cameForRemoved ||= outcome.startsWith("404") &&
      nowMs < (payer.answeredAtMs ?? -Infinity) + DAY_MS;
    if (outcome === "200") {
      payer.answers.push({ key, body, receipt });
      this.#checkAnswer(payer);
    }
    return outcome;
  }

  async #presentOther(nth: number): Promise<void> {
    const { challenge, id } = this.#payer(nth);
    const before = await this.#shop.services.store.metricsPayments.find(id);
    if (before === null) return;
    const spt = await this.#shop.token();
    const authorization = credential(challenge, { spt });
    const outcome = await outcomeOf(await this.#shop.ask({ authorization }));
    const wanted = ["402 invalid-challenge", "404 spotlight-not-found"];
    assert(wanted.includes(outcome), `another token: ${outcome}`);
  }

  async #crash(
    event: Extract<Event, { nth: number; after: boolean; payer: number }>,
  ): Promise<void> {
    this.#mishaps += 1;
    const when = event.after ? "after" : "before";
    const { nth } = event;
    const doomed = this.#shop.world.another((real): Processor =>
      event.kind === "crash_at_call"
        ? crashingProcessor(real, { call: nth, when }, () => doomed.kv.crash())
        : real
    );
    if (event.kind === "crash_at_commit") {
      doomed.kv.crashAt({ commit: nth, when });
    }
    const ask = await this.#shop.asking(doomed.services);
    await this.#present(event.payer, null, ask);
  }

  /** Whoever has paid and heard nothing is answered, while the day is there. */
  async #comeBack(nth: number): Promise<void> {
    const payer = this.#payer(nth);
    const hadAnswer = payer.answers.length > 0;
    const row = await this.#shop.services.store.metricsPayments.find(payer.id);
    const outcome = await this.#insist(nth);
    if (this.#removed) {
      assertEquals(outcome, "404 spotlight-not-found");
    } else if (row?.state === "succeeded" && !hadAnswer) {
      assertEquals(outcome, "200", "who has paid is answered");
    } else if (row?.state === "refused" || row?.state === "refunded") {
      assert(outcome.startsWith("402 "), outcome);
    }
  }

  /** Repeats what is 503, as payers are told to: a fault may still be planned. */
  async #insist(nth: number): Promise<string> {
    for (let time = 0; time < 10; time++) {
      const outcome = await this.#present(nth, null);
      if (!outcome.startsWith("503")) return outcome;
      this.#shop.world.clock.advance(46_000);
    }
    throw new Error("It stays uncertain");
  }

  /** All answers for one payment are the same, and few. */
  #checkAnswer({ answers }: Payer): void {
    assert(!this.#removed, "no figures of a removed day");
    const [first] = answers;
    for (const { body, receipt } of answers) {
      assertEquals(body, first?.body);
      assertEquals(receipt, first?.receipt);
    }
    const keys = answers.map(({ key }) => key).filter((key) => key !== null);
    const byKey = new Set(keys).size;
    const without = answers.length - keys.length;
    assert(
      without + byKey <= 1 + this.#mishaps + byKey,
      `${without} answers without a key`,
    );
  }

  #checkMoney(): void {
    const { control } = this.#shop.world.simulator;
    const intents = control.objects("payment_intent");
    const refunds = control.objects("refund");
    for (const payer of this.#payers) {
      const own = intents.filter(({ metadata }) =>
        metadata["payment_id"] === payer.id
      );
      const paid = own.filter(({ status }) => status === "succeeded");
      assert(paid.length <= 1, "one charge for one challenge");
      const waiting = ["requires_action", "processing"];
      const open = own.filter(({ status }) => waiting.includes(status));
      assertEquals(open, [], "nothing waits for ever");
      const back = refunds.filter((refund) =>
        refund.payment_intent === paid[0]?.id
      );
      if (paid.length === 0) assertEquals(payer.answers, [], "nothing is free");
      else if (payer.answers.length === 0) {
        assertEquals(back.length, 1, "who got nothing has the money back");
      } else if (this.#mishaps === 0) {
        assertEquals(back.length, payer.cameForRemoved ? 1 : 0, "paid for");
      }
      assert(back.length <= 1, "one refund for one charge");
    }
  }

  async #checkBooks(): Promise<void> {
    const { services } = this.#shop;
    const { charged, refunded } = await this.#shop.taken();
    const ledger = await this.#shop.ledger();
    const entriesOf = (kind: string) =>
      ledger.filter(({ id }) => id.startsWith(`${kind}:`)).length;
    assertEquals(entriesOf("metrics"), charged.length);
    assertEquals(entriesOf("refund"), refunded.length);
    const cents = (lines: typeof ledger[number]["lines"]) =>
      lines.reduce((sum, { amountCents }) => sum + amountCents, 0);
    for (const { lines } of ledger) assertEquals(cents(lines), 0);
    const held = ledger.flatMap(({ lines }) => lines)
      .filter(({ account }) => account === "processor_clearing");
    assertEquals(cents(held), 100 * (charged.length - refunded.length));
    const later = services.clock.now() + 365 * 86_400_000;
    const due = await services.store.listDue("payments", later, {
      limit: 9,
    });
    assertEquals(due, [], "everything came to its end");
  }

  #payer(nth: number): Payer {
    const payer = this.#payers[nth];
    assert(payer !== undefined);
    return payer;
  }
}
