/**
 * What a partner works out from everything that it sees, helped by advertisers of
 * its own whose amounts it knows: never another's amount.
 */
import { assert } from "@std/assert";
import { newAccount } from "../../../domain/accounts/new_account.ts";
import { advanceCommissions } from "../../../domain/partners/advance_commissions.ts";
import { commissionCents } from "../../../domain/partners/commission.ts";
import { STATEMENT_STEP_CENTS } from "../../../domain/partners/limits.ts";
import {
  addMonths,
  type Month,
  monthOf,
  startOfMonthMs,
} from "../../../domain/month.ts";
import {
  readBalance,
  readMonths,
} from "../../../domain/partners/read_figures.ts";
import { DAY_MS } from "../../../domain/day.ts";
import {
  type AuctionWorld,
  openAuctionWorld,
} from "../../support/auction_world.ts";
import { invoiceOf } from "../../support/invoices.ts";
import { PARTNER_ID, refer, savePartner } from "../../support/partners.ts";

/** The victim's account; all others are the partner's own, under other names. */
const VICTIM = "acc_victim";
const OWN = ["acc_own_1", "acc_own_2"] as const;

/** What the partner knows, or guesses, of the victim's commission, cents. */
interface Guess {
  least: number;
  most: number;
}

/** A partner who looks at everything, at the end of each month. */
class Attacker {
  guess: Guess = { least: 0, most: Infinity };
  /** Commissions of its own advertisers, by the month they were earned. */
  readonly #own = new Map<Month, number>();
  /** From when until when the victim's commission counts. */
  victimIn: { from: Month; until: Month | null } | null = null;
  readonly #world: AuctionWorld;
  #invoices = 0;

  /** @param secretCents the commission that nobody may find out */
  constructor(world: AuctionWorld, readonly secretCents: number) {
    this.#world = world;
  }

  /** An invoice is paid now; what it brings is known of an own one. */
  async pay(accountId: string, netCents: number): Promise<string> {
    const { services, clock } = this.#world;
    this.#invoices += 1;
    const invoice = invoiceOf(accountId, `SPOT-${this.#invoices}`, {
      totalCents: netCents,
      taxCents: 0,
      finalizedAtMs: clock.now(),
      paidAtMs: clock.now(),
      commission: { partnerId: PARTNER_ID, countedCents: 0 },
    });
    await services.store.transact((tx) => tx.invoices.save(invoice));
    await advanceCommissions(services);
    const month = monthOf(clock.now());
    if (accountId === VICTIM) this.victimIn = { from: month, until: null };
    else {
      const before = this.#own.get(month) ?? 0;
      this.#own.set(month, before + commissionCents(netCents));
    }
    return invoice.id;
  }

  /** The victim's money goes back, which its removed Spotlight may show. */
  async takeBack(invoiceId: string): Promise<void> {
    const { services, clock } = this.#world;
    await services.store.transact(async (tx) => {
      const invoice = await tx.invoices.find(invoiceId);
      assert(invoice !== null && this.victimIn !== null);
      tx.invoices.save({ ...invoice, money: "refunding" });
      this.victimIn = { ...this.victimIn, until: monthOf(clock.now()) };
    });
    await advanceCommissions(services);
  }

  /** Goes to the 5th of a month, and looks. */
  async lookIn(month: Month): Promise<void> {
    const { services, clock } = this.#world;
    clock.set(startOfMonthMs(month) + 4 * DAY_MS);
    await advanceCommissions(services);
    const part = { limit: 200, before: null };
    const months = await readMonths(services, PARTNER_ID, part);
    const told = months.filter(({ commissionCents }) =>
      commissionCents !== null
    );
    const through = told.find(({ commissionCents: cents, fromMonth }) =>
      cents !== 0 || fromMonth !== null
    )?.month;
    const total = told.reduce(
      (sum, each) => sum + (each.commissionCents ?? 0),
      0,
    );
    const { payableCents, paidCents } = await readBalance(services, PARTNER_ID);
    assert(
      payableCents + paidCents === total,
      "the balance tells nothing more",
    );
    if (through !== undefined) this.#learn(total, through);
  }

  /** What was told is the whole, less a rest of 0 up to two steps. */
  #learn(total: number, through: Month): void {
    const { victimIn } = this;
    const isIn = victimIn !== null && victimIn.from <= through &&
      (victimIn.until === null || victimIn.until > through);
    if (!isIn) return;
    const known = [...this.#own].filter(([month]) => month <= through)
      .reduce((sum, [, cents]) => sum + cents, 0);
    assert(total - known !== this.secretCents, "taking off what is known");
    const least = Math.max(this.guess.least, total - known);
    const most = Math.min(
      this.guess.most,
      total - known + 2 * STATEMENT_STEP_CENTS - 1,
    );
    this.guess = { least, most };
  }
}

/** Ways of finding the amount that the victim paid in November 2026. */
const ATTACKS: Record<
  string,
  (attacker: Attacker, priceCents: number) => Promise<void>
> = {
  "a partner with one advertiser waits until a single invoice is told": async (
    attacker,
    price,
  ) => {
    await attacker.pay(VICTIM, price);
    for (let nth = 1; nth <= 16; nth++) await attacker.lookIn(later(nth));
  },
  "two advertisers of its own fill the three of a statement": async (
    attacker,
    price,
  ) => {
    await attacker.pay(VICTIM, price);
    await attacker.pay(OWN[0], 12_345);
    await attacker.pay(OWN[1], 67_890);
    for (let nth = 1; nth <= 4; nth++) await attacker.lookIn(later(nth));
  },
  "one total is compared with the next, once the money went back": async (
    attacker,
    price,
  ) => {
    const id = await attacker.pay(VICTIM, price);
    for (const own of OWN) await attacker.pay(own, 50_000);
    await attacker.lookIn(later(2));
    await attacker.takeBack(id);
    for (const own of [...OWN, OWN[0]]) await attacker.pay(own, 50_000);
    for (let nth = 3; nth <= 6; nth++) await attacker.lookIn(later(nth));
  },
  "known amounts are added month by month, to find where a step begins": async (
    attacker,
    price,
  ) => {
    await attacker.pay(VICTIM, price);
    for (let nth = 1; nth <= 14; nth++) {
      // Halves what is left each time, as whoever searches does.
      const cents = Math.ceil(STATEMENT_STEP_CENTS / 2 ** (nth % 10));
      for (const own of [...OWN, OWN[0]]) await attacker.pay(own, cents * 10);
      await attacker.lookIn(later(nth));
    }
  },
};

const BEGAN = monthOf(Date.parse("2026-11-20T00:00:00.000Z"));

function later(months: number): Month {
  return addMonths(BEGAN, months);
}

async function openAttacked(): Promise<AuctionWorld> {
  const world = await openAuctionWorld();
  const { services } = world;
  await savePartner(services);
  for (const id of [VICTIM, ...OWN]) {
    const account = newAccount(id, `${id}@${id.slice(4)}.example`, 0);
    await services.store.transact((tx) => tx.accounts.save(account));
    await refer(services, id);
  }
  return world;
}

for (const [attack, run] of Object.entries(ATTACKS)) {
  Deno.test(`no amount can be derived, though ${attack}`, async () => {
    for (const price of [100, 12_340, 98_765, 1_000_000]) {
      await using world = await openAttacked();
      const cents = commissionCents(price);
      const attacker = new Attacker(world, cents);
      await run(attacker, price);
      const { least, most } = attacker.guess;
      assert(least <= cents && cents <= most, `${price}: ${least} to ${most}`);
      assert(most < Infinity, "something is told");
      // A commission is a tenth: an amount is known to ten euros at best.
      const widthCents = (most - Math.max(0, least)) * 10;
      assert(widthCents >= 1_000, `${price} is known to ${widthCents} cents`);
    }
  });
}
