/**
 * What has to be true of commissions and of what partners are told and paid.
 *
 * @module
 */
import { DAY_MS, HOUR_MS } from "../../domain/day.ts";
import type { Invoice } from "../../domain/invoices/invoice.ts";
import { balanceOf } from "../../domain/ledger/book_entry.ts";
import type { LedgerEntry } from "../../domain/ledger/entry.ts";
import type { Commission } from "../../domain/partners/commission.ts";
import {
  earnedCents,
  maturesAtMs,
} from "../../domain/partners/partner_balance.ts";
import { readBalance } from "../../domain/partners/read_figures.ts";
import { ALL, allInvoices, intentsOf, movedBy } from "./facts.ts";
import { refundsPastUs } from "./verify_told.ts";
import type { Life } from "./world.ts";

/** Commissions follow the money, and partners' accounts follow commissions. */
export async function partnersPaidRight(
  life: Life,
  ledger: readonly LedgerEntry[],
): Promise<string[]> {
  const commissions = await allCommissions(life);
  return [
    ...await followMoney(life, commissions),
    ...await addUp(life, commissions),
    ...inBooks(commissions, ledger),
    ...await paidOnce(life, ledger),
  ];
}

/** The commissions of every partner; its balance stays where it is erased. */
async function allCommissions(
  { services: { store }, people }: Life,
): Promise<Commission[]> {
  const lists = await Promise.all(
    people.map(({ accountId }) => store.listCommissions(accountId, ALL)),
  );
  return lists.flat();
}

/**
 * One a paid invoice of somebody whom the partner brought: a tenth of what the
 * processor still has of its net amount, and nothing of anything else.
 */
async function followMoney(
  life: Life,
  commissions: readonly Commission[],
): Promise<string[]> {
  const found = new Map(commissions.map((each) => [each.invoiceId, each]));
  const brought = new Map(
    life.people.map(({ accountId, broughtBy }) => [accountId, broughtBy]),
  );
  const held = await heldByInvoice(life);
  const gone = new Set(
    (await life.services.store.listErasedAccounts({ ...ALL, after: null }))
      .map(({ accountId }) => accountId),
  );
  const broken = found.size === commissions.length
    ? []
    : ["an invoice has two commissions"];
  for (const invoice of await allInvoices(life)) {
    const commission = found.get(invoice.id);
    found.delete(invoice.id);
    const partner = brought.get(invoice.accountId) ?? null;
    const cents = partner === null ? 0 : tenthOf(invoice, held);
    // Who is no partner any more earns of no further invoice.
    if (commission === undefined && gone.has(partner ?? "")) continue;
    const ended = endedAround(life, partner, invoice);
    if (commission === undefined && ended !== "no") continue;
    if (commission !== undefined && ended === "all along") {
      broken.push(`${invoice.id} was paid after its partnership had ended`);
    }
    if ((commission?.amountCents ?? 0) !== cents) {
      broken.push(
        `the commission of ${invoice.id} (${invoice.money}) is ` +
          `${commission?.amountCents}, not ${cents}`,
      );
    }
    if (commission !== undefined && commission.partnerId !== partner) {
      broken.push(`the commission of ${invoice.id} is another partner's`);
    }
  }
  life.tally["commission"] = commissions.length;
  const unpaid = [...found.keys()];
  return [
    ...broken,
    ...unpaid.map((id) => `a commission of no invoice: ${id}`),
  ];
}

/** A commission is counted in the tick after its payment, at the next one or so. */
const COUNTED_WITHIN_MS = DAY_MS;
/** Each day of a life begins before the night of the last one is over. */
const CLOCK_BACK_MS = 3 * HOUR_MS;

/** Whether the partnership had ended when an invoice was paid and counted. */
function endedAround(
  { endings }: Life,
  partner: string | null,
  { paidAtMs }: Invoice,
): "no" | "perhaps" | "all along" {
  const paid = paidAtMs ?? 0;
  const counted = paid + COUNTED_WITHIN_MS;
  const around = endings.filter(({ partnerId, fromMs, untilMs = Infinity }) =>
    partnerId === partner && fromMs <= counted &&
    untilMs >= paid - CLOCK_BACK_MS
  );
  const isAll = around.some(({ fromMs, untilMs = Infinity }) =>
    fromMs <= paid - CLOCK_BACK_MS && untilMs >= counted
  );
  return isAll ? "all along" : around.length > 0 ? "perhaps" : "no";
}

/** What the processor has of an invoice's payment, unless it is not ours. */
function tenthOf(
  { money, paymentId, totalCents, taxCents }: Invoice,
  held: ReadonlyMap<string, number>,
): number {
  const cents = money === "sold" ? held.get(paymentId ?? "") ?? 0 : 0;
  return Math.floor((cents - Math.round(taxCents * cents / totalCents)) / 10);
}

/** By payment, without what was given back past us: that is told and not ours. */
async function heldByInvoice(life: Life): Promise<Map<string, number>> {
  const { control } = life.world.simulator;
  const intentOf = intentsOf(life);
  const past = new Set((await refundsPastUs(life)).map(({ id }) => id));
  const held = new Map<string, number>();
  const move = (charge: string, cents: number) => {
    const payment = intentOf.get(charge) ?? "unknown";
    held.set(payment, (held.get(payment) ?? 0) + cents);
  };
  for (const { id, paid, amount } of control.objects("charge")) {
    if (paid) move(id, amount);
  }
  for (const { id, charge, amount, status } of control.objects("refund")) {
    if (status !== "failed" && !past.has(id)) move(charge, -amount);
  }
  for (const dispute of control.objects("dispute")) {
    move(dispute.charge, movedBy(dispute));
  }
  return held;
}

/** Balance, statements and commissions of a partner say the same. */
async function addUp(
  life: Life,
  commissions: readonly Commission[],
): Promise<string[]> {
  const { services, people } = life;
  const broken: string[] = [];
  for (const { accountId } of people) {
    const own = commissions.filter(({ partnerId }) => partnerId === accountId);
    const earned = sum(own.map(({ amountCents }) => amountCents));
    const balance = await readBalance(services, accountId);
    if (earnedCents(balance) !== earned) {
      broken.push(`${accountId} earned ${earned}, its balance differs`);
    }
    const statements = await services.store.listStatements(accountId, ALL);
    for (const { number, throughMonth, releasedAtMs } of statements) {
      life.count("statement");
      if (releasedAtMs >= maturesAtMs(throughMonth)) continue;
      broken.push(`the statement ${number} of ${accountId} is early`);
    }
    const told = sum(statements.map(({ amountCents }) => amountCents));
    const { payableCents, requestedCents, paidCents } = balance;
    if (told !== payableCents + requestedCents + paidCents) {
      broken.push(`the statements of ${accountId} do not add up`);
    }
  }
  return broken;
}

/** A payout is one transfer, of its amount, and what was paid is in the books. */
async function paidOnce(
  { world, services, people, tally }: Life,
  ledger: readonly LedgerEntry[],
): Promise<string[]> {
  const broken: string[] = [];
  const transfers = world.simulator.control.objects("transfer");
  let owed = 0;
  for (const { accountId } of people) {
    const own = transfers.filter(({ metadata }) =>
      metadata["account_id"] === accountId
    );
    const balance = await readBalance(services, accountId);
    const sent = sum(own.map((each) => each.amount - each.amount_reversed));
    if (sent !== balance.paidCents) {
      broken.push(`${accountId} was sent ${sent}, not ${balance.paidCents}`);
    }
    owed += earnedCents(balance) - balance.paidCents;
    const payouts = await services.store.listPayouts(accountId, ALL);
    for (const { id, state, amountCents } of payouts) {
      const made = own.filter(({ metadata }) => metadata["payout_id"] === id);
      const isMade = state === "paid" || state === "returned";
      const wanted = isMade ? [amountCents] : [];
      if (String(made.map(({ amount }) => amount)) === String(wanted)) continue;
      broken.push(`the payout ${id} (${state}) is ${made.length} transfers`);
    }
  }
  tally["transfer"] = transfers.length;
  const booked = -balanceOf(ledger, "partner_payable");
  return booked === owed
    ? broken
    : [...broken, `partners are owed ${owed}, the books say ${booked}`];
}

/** What partners earned is an expense, and owed until it is paid. */
function inBooks(
  commissions: readonly Commission[],
  ledger: readonly LedgerEntry[],
): string[] {
  const earned = sum(commissions.map(({ amountCents }) => amountCents));
  const booked = balanceOf(ledger, "commission_expense");
  return booked === earned
    ? []
    : [`commissions of ${earned} are booked with ${booked}`];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
