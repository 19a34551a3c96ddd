import type { Services } from "../ports.ts";
import { nameOf, type OperatorAct } from "./operator_act.ts";

/** Lines that are read for one page, whether the filters leave them or not. */
const READ_MAX = 500;

/** A place between two lines of the audit. */
export type ActPlace = Pick<OperatorAct, "atMs" | "id">;

/** Which lines are asked for; null for any. */
export interface AuditFilter {
  subject: string | null;
  /** An e-mail address, or a key's name. */
  person: string | null;
  /** From this moment on, epoch ms. */
  fromMs: number;
  /** Before this moment, epoch ms. */
  untilMs: number;
}

/** Part of the audit, newest first. */
export interface AuditPage {
  acts: readonly OperatorAct[];
  /** Where the next part begins; null at the end. */
  next: ActPlace | null;
}

/**
 * Reads lines of the audit by the index that leaves the fewest. With two filters
 * a page may be short, or empty, and still have a next one: what is read for it
 * is bounded.
 */
export async function readAudit(
  { store }: Pick<Services, "store">,
  filter: AuditFilter,
  { limit, before }: { limit: number; before: ActPlace | null },
): Promise<AuditPage> {
  const isDouble = filter.subject !== null && filter.person !== null;
  const most = isDouble ? READ_MAX : limit + 1;
  const read = await store.listOperatorActs(filter, { limit: most, before });
  const person = filter.person;
  const fitting = read.filter(({ by }) =>
    person === null || nameOf(by) === person
  );
  const acts = fitting.slice(0, limit);
  if (fitting.length > limit) return { acts, next: acts.at(-1) ?? null };
  return { acts, next: read.length === READ_MAX ? read.at(-1) ?? null : null };
}
