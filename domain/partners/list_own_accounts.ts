import { DAY_MS } from "../day.ts";
import { ProcessorUncertain } from "../failure.ts";
import { lostTimesOf } from "../hold/hold.ts";
import type { TimeSpan } from "../payments/outcome.ts";
import type { ProcessorAccount } from "../payments/processor_partners.ts";
import { readUpTo } from "../payments/read_up_to.ts";
import type { Services } from "../ports.ts";

/** Accounts of all partners that are read of one span of time. */
const READ_MAX = 10_000;
/** Clocks differ. */
const MARGIN_MS = DAY_MS;

type Lister = Pick<Services, "store" | "processor" | "clock">;

/**
 * A partner's accounts at the processor that the store may not know: those made
 * since a moment, and in the times that restores lost. The processor's list goes
 * by time alone, and each account names its partner.
 *
 * @param sinceMs null for no time but the lost ones
 * @throws {ProcessorUncertain} when the processor does not say, or has more than
 * can be read
 */
export async function listOwnAccounts(
  services: Lister,
  partnerId: string,
  sinceMs: number | null,
): Promise<ProcessorAccount[]> {
  const nowMs = services.clock.now();
  const hold = await services.store.holds.find();
  const lost = hold === null ? [] : lostTimesOf(hold, nowMs);
  const spans = [
    ...lost,
    ...sinceMs === null ? [] : [{ fromMs: sinceMs, untilMs: nowMs }],
  ];
  const found = new Map<string, ProcessorAccount>();
  for (const { fromMs, untilMs } of spans) {
    const span = { from: fromMs - MARGIN_MS, until: untilMs + MARGIN_MS };
    for (const account of await listSpan(services, span)) {
      if (account.accountId === partnerId) found.set(account.id, account);
    }
  }
  return [...found.values()];
}

async function listSpan(
  { processor }: Lister,
  span: TimeSpan,
): Promise<ProcessorAccount[]> {
  const read = await readUpTo(
    READ_MAX,
    (cursor, limit) => processor.listPartnerAccounts(span, cursor, limit),
  );
  if (read.isCut) throw new ProcessorUncertain("There are too many accounts");
  return read.items;
}
