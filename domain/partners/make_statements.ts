import type { EventFact } from "../events/event.ts";
import { noteEvents } from "../events/note_events.ts";
import type { Services } from "../ports.ts";
import { sha256Hex } from "../sha256.ts";
import { CARRIED_MONTHS_MAX, STATEMENT_STEP_CENTS } from "./limits.ts";
import { type Statement, withStatement } from "./partner_balance.ts";

/** Statements of one commit: more months than ever wait. */
const STATEMENTS_MAX = 2 * CARRIED_MONTHS_MAX;

/**
 * Makes the statements of a partner that are due: what they say becomes payable.
 * Where none is due nothing is written.
 */
export async function makeStatements(
  { store, clock, ids, log }: Services,
  { partnerId }: { partnerId: string },
): Promise<void> {
  const secret = ids.secret(); // outside: attempts share it
  const made = await store.transact(async (tx) => {
    let balance = await tx.partnerBalances.find(partnerId);
    if (balance === null) return 0;
    const nowMs = clock.now();
    const facts: EventFact[] = [];
    let count = 0;
    for (; count < STATEMENTS_MAX; count++) {
      const next = withStatement(balance, nowMs, coverOf(secret, count));
      if (next === null) break;
      tx.statements.save(next.statement);
      tx.partnerBalances.save(next.balance);
      facts.push(...factsOf(next.statement));
      balance = next.balance;
    }
    await noteEvents(tx, partnerId, facts, nowMs);
    return count;
  });
  if (made > 0) log.info("partner.statements", { partner: partnerId, made });
}

/** How much of the nth total is covered, from a secret that nobody keeps. */
function coverOf(secret: string, nth: number): number {
  const digits = sha256Hex(`${secret}:${nth}`).slice(0, 8);
  return Number.parseInt(digits, 16) % STATEMENT_STEP_CENTS;
}

/**
 * What agents are told of a statement: with it, and not before, since the moment
 * of a single commission would name the day that was paid for.
 */
function factsOf(
  { throughMonth: month, amountCents, takenBackCents }: Statement,
): EventFact[] {
  const data = { month };
  const earned = amountCents + takenBackCents;
  return [
    ...earned > 0 ? [{ type: "commission.created" as const, data }] : [],
    ...takenBackCents > 0
      ? [{ type: "commission.reversed" as const, data }]
      : [],
  ];
}
