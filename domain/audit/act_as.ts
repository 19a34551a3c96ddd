import type { Services, Transaction } from "../ports.ts";
import { withStore } from "../with_store.ts";
import type { ActBy, ActName, Facts, OperatorAct } from "./operator_act.ts";

/** Longest text of a line of the audit, and of a fact in it, code points. */
export const FACT_MAX = 500;
/** Members that a line keeps of what changed. */
const FACTS_MAX = 12;

/** What an operator does, to what, and why. */
export interface ActOrder {
  by: ActBy;
  act: ActName;
  /** The id, day or number of what it is about; null for the whole store. */
  subject: string | null;
  reason?: string | null;
}

type ActServices = Pick<Services, "store" | "clock" | "ids">;

/**
 * Runs verbs for an operator. The first commit in which they change something has
 * the act's line of the audit in it, so that no verb can forget it; a later one
 * adds what changed, where only it knows. An act that changed nothing leaves its
 * line too, in a commit of its own, and one that was refused leaves none.
 */
export async function actAs<S extends ActServices, T>(
  services: S,
  order: ActOrder,
  run: (acting: S) => Promise<T>,
): Promise<T> {
  const { store, clock, ids } = services;
  const line = lineOf(order, ids.next("act"), clock.now());
  let isWritten = false;
  const transact: typeof store.transact = async (verb) => {
    let isWriting = false;
    const result = await store.transact(async (tx) => {
      const done = await verb(tx);
      isWriting = isWritten ? tx.noted !== null : tx.writes;
      if (isWriting) saveLine(tx, line);
      return done;
    });
    isWritten ||= isWriting;
    return result;
  };
  const result = await run(withStore(services, { transact }));
  if (!isWritten) await store.transact((tx) => saveLine(tx, line));
  return result;
}

function lineOf(
  { by, act, subject, reason = null }: ActOrder,
  id: string,
  atMs: number,
): OperatorAct {
  const said = reason === null ? null : cut(reason);
  return { id, atMs, by, act, subject, reason: said, change: null };
}

function saveLine(
  tx: Pick<Transaction, "operatorActs" | "noted">,
  line: OperatorAct,
): void {
  const { noted } = tx;
  const change = noted &&
    { before: bounded(noted.before), after: bounded(noted.after) };
  tx.operatorActs.save({ ...line, change });
}

function bounded(facts: Facts): Facts {
  return Object.fromEntries(
    Object.entries(facts).slice(0, FACTS_MAX).map(([name, value]) => [
      name,
      typeof value === "string" ? cut(value) : value,
    ]),
  );
}

function cut(text: string): string {
  return [...text.slice(0, 2 * FACT_MAX)].slice(0, FACT_MAX).join("");
}
