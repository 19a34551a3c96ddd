import { type Day, DAY_MS, startOfDayMs } from "../day.ts";
import { LEDGER_ACCOUNTS } from "../ledger/entry.ts";
import { balanceOf } from "../ledger/book_entry.ts";
import type { MailFact } from "../mail/mail_content.ts";
import type { Services } from "../ports.ts";
import { readDayReport } from "../settlement/read_day_report.ts";
import type { Spotlight } from "../spotlights/spotlight.ts";
import { readUnderSeal, unsealedEntries } from "../settlement/under_seal.ts";
import { signedEuros } from "../text/euros.ts";
import type { Trouble } from "./alert.ts";
import type { DailyReport } from "./alert_mails.ts";

/** Entries that are added up; a service that books more says so. */
const ENTRIES_MAX = 20_000;
/** So many of each are counted. */
const COUNTED_MAX = 100;

/** Reads what an operator is told of a day. */
export async function readDaily(
  { store, clock }: Pick<Services, "store" | "clock">,
  day: Day,
  troubles: readonly Trouble[],
): Promise<DailyReport> {
  const { state, settlement, spotlight } = await readDayReport(
    { store, clock },
    day,
  );
  const passedOver = (settlement?.candidates ?? [])
    .filter(({ step }) => step === "passed_over").length;
  // A service that was away for the whole day held none.
  const wasHeld = state.openedAt !== null || settlement !== null;
  return {
    day,
    outcome: outcomeOf(spotlight, wasHeld),
    auction: [
      ["Bids", String(state.bidCount)],
      ["Passed over", String(passedOver)],
    ],
    money: await bookedOn(store, day),
    waiting: await waitingOf(store),
    troubles,
  };
}

function outcomeOf(spotlight: Spotlight | null, wasHeld: boolean): string {
  if (spotlight === null) {
    return wasHeld ? "it has not settled" : "it was not held";
  }
  return spotlight.contentType === "house_advertisement"
    ? "nobody won, a house ad runs"
    // No name: a mail outlives the erasure of who won.
    : "sold";
}

async function bookedOn(
  store: Services["store"],
  day: Day,
): Promise<MailFact[]> {
  const fromMs = startOfDayMs(day);
  const untilMs = fromMs + DAY_MS - 1;
  const limit = ENTRIES_MAX;
  const entries = unsealedEntries(
    await readUnderSeal({ store }),
    await store.listLedgerBetween(fromMs, untilMs, { limit }),
  );
  const facts = LEDGER_ACCOUNTS.map((account) =>
    [account, balanceOf(entries, account)] as const
  );
  return facts.filter(([, cents]) => cents !== 0)
    .map(([account, cents]) => [account, signedEuros(cents)]);
}

async function waitingOf(store: Services["store"]): Promise<MailFact[]> {
  const limit = COUNTED_MAX;
  const [ads, reports, accounts, partners, refunds, disputes] = await Promise
    .all([
      store.listSubmittedCreatives({ limit }),
      store.listOpenAdReports({ limit }),
      store.listWaitingAccounts({ limit }),
      store.listWaitingPartners({ limit, after: null }),
      store.listRefundRequests({ limit }),
      store.listUndecidedDisputes({ limit }),
    ]);
  const counts: [string, number][] = [
    ["Ads to review", ads.length],
    ["Reports by readers", reports.length],
    ["Accounts to decide about", accounts.length],
    ["Applications to be a partner", partners.length],
    ["Refunds to confirm", refunds.length],
    ["Open disputes", disputes.length],
  ];
  return counts.filter(([, count]) => count > 0).map(([name, count]) => [
    name,
    count === COUNTED_MAX ? `${count} or more` : String(count),
  ]);
}
