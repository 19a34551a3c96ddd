import type { Account, PaymentMethod } from "../../domain/accounts/account.ts";
import { closesAtMs } from "../../domain/auction/auction.ts";
import { addDays, dayOf } from "../../domain/day.ts";
import { invariant } from "../../domain/invariant.ts";
import type { CustomerDetails } from "../../domain/payments/processor.ts";
import type { Outcome } from "../../domain/payments/outcome.ts";
import type { Services } from "../../domain/ports.ts";
import type { DemoAccount } from "./accounts.ts";

/**
 * Makes a real customer with a real saved card at the processor for every
 * advertiser that has one. Keys derive from the account, so a repeat after a
 * crash finds the same customer and card.
 *
 * @throws {ProcessorUncertain} when the processor gives no definite answer
 */
export function saveCards(
  services: Services,
  accounts: readonly DemoAccount[],
): Promise<DemoAccount[]> {
  return Promise.all(
    accounts.map((demo) => withCard(services, demo)),
  );
}

async function withCard(
  { processor, clock, settings }: Services,
  demo: DemoAccount,
): Promise<DemoAccount> {
  const { account, advertiser } = demo;
  const { company } = account;
  // Who never had a card was never billed either.
  if (company === null || neverBilled(demo)) return demo;
  const details: CustomerDetails = {
    accountId: account.id,
    email: account.email,
    name: company.name,
    country: company.country,
    line1: company.address.line1,
    city: company.address.city,
    postalCode: company.address.postalCode,
    vatId: company.vatId,
    reverseCharge: company.country !== settings.seller.country,
  };
  const key = `demo:${account.id}`;
  const customer = done(
    await processor.createCustomer(details, `${key}:customer`),
  );
  const billed = { ...account, processorCustomerId: customer.id };
  const { testCard } = advertiser;
  if (testCard === null) return { ...demo, account: billed };
  const card: PaymentMethod = {
    ...done(
      await processor.attachCard(customer.id, testCard, `${key}:card`),
    ),
    accountId: account.id,
    createdAtMs: Math.min(account.createdAtMs + 1_800_000, clock.now()),
  };
  const saved = { ...billed, defaultPaymentMethodId: card.id };
  if (!account.cardRefused) return { ...demo, account: saved, card };
  const lastDay = addDays(
    dayOf(clock.now()),
    -(advertiser.lastBidDaysAgo ?? 1),
  );
  const refusedAtMs = closesAtMs(lastDay, settings.auctionHours);
  return { ...demo, ...refusedFor(saved, card, refusedAtMs) };
}

/** As the settlement leaves them that could not charge the card. */
function refusedFor(
  account: Account,
  card: PaymentMethod,
  refusedAtMs: number,
): Pick<DemoAccount, "account" | "card"> {
  const { fingerprint } = card;
  const refusedFingerprints = fingerprint ? [fingerprint] : [];
  return {
    account: { ...account, refusedFingerprints },
    card: { ...card, refusedAtMs },
  };
}

function neverBilled({ advertiser }: DemoAccount): boolean {
  return advertiser.testCard === null && advertiser.lastBidDaysAgo === null;
}

/** Nothing in the demo's own data is refused, so a refusal is a bug. */
export function done<T>(outcome: Outcome<T>): T {
  invariant(outcome.ok, `the processor takes what the demo asks of it`);
  return outcome.value;
}
