/**
 * What has to be true at the end of every life, whatever happened in it.
 *
 * @module
 */
import { AD_LOST } from "../../domain/settlement/settlement.ts";
import { archiveName } from "../../domain/invoices/archive_task.ts";
import type { LedgerEntry } from "../../domain/ledger/entry.ts";
import { ALL } from "./facts.ts";
import { lookAtFigures } from "./partner_sights.ts";
import {
  allGivenBack,
  nobodyTwice,
  rightAccounts,
  sameBooks,
} from "./verify_money.ts";
import { partnersPaidRight } from "./verify_partners.ts";
import { forgotten } from "./verify_people.ts";
import { reconciled } from "./verify_told.ts";
import type { Life } from "./world.ts";

/** Every promise that is broken, in words; none is what is wanted. */
export async function brokenPromises(life: Life): Promise<string[]> {
  const ledger = await life.services.store.listLedger(ALL);
  return [
    ...balanced(ledger),
    ...await sameBooks(life, ledger),
    ...await oneSpotlightADay(life),
    ...await nobodyTwice(life),
    ...await archivedOnce(life),
    ...numbersInRow(life),
    ...await blockedByDisputes(life),
    ...await rightAccounts(life, ledger),
    ...await allGivenBack(life),
    ...await reconciled(life),
    ...await partnersPaidRight(life, ledger),
    ...await forgotten(life),
    ...await lookedAtLast(life),
  ];
}

/** What was seen broken on the way, and what a last look at the figures sees. */
async function lookedAtLast(life: Life): Promise<readonly string[]> {
  await lookAtFigures(life);
  return life.broken;
}

function balanced(ledger: readonly LedgerEntry[]): string[] {
  return ledger
    .filter(({ lines }) => sum(lines.map((line) => line.amountCents)) !== 0)
    .map(({ id }) => `the entry ${id} does not sum to zero`);
}

async function oneSpotlightADay(life: Life): Promise<string[]> {
  const { store } = life.services;
  const spotlights = await store.listSpotlights(null, ALL);
  const days = new Set(spotlights.map(({ day }) => day));
  const open = await store.listOpenSettlements(ALL);
  const broken = open.map(({ day }) => `the day ${day} is not settled`);
  for (const { day, accountId } of spotlights) {
    const settlement = await store.settlements.find(day);
    const winner = settlement?.candidates.find(({ step }) => step === "won");
    // Of an ad that a restored store has lost only the sale is left.
    const shownOf = winner?.note === AD_LOST ? null : winner?.accountId ?? null;
    if (shownOf !== accountId) {
      broken.push(`the Spotlight of ${day} is not its winner's`);
    }
  }
  if (days.size !== spotlights.length) broken.push("a day has two Spotlights");
  return broken;
}

/** Every finalised invoice, voided ones included, and every credit note. */
async function archivedOnce(life: Life): Promise<string[]> {
  const { control } = life.world.simulator;
  const { store, archive } = life.services;
  const documents = [
    ...control.objects("invoice").filter(({ number }) => number !== null)
      .map(({ id, number }) => ({ id, number: number ?? "", kind: "invoice" })),
    ...control.objects("credit_note")
      .map(({ id, number }) => ({ id, number, kind: "credit_note" })),
  ];
  const broken: string[] = [];
  for (const { id, number, kind } of documents) {
    const task = await store.archiveTasks.find(number);
    if (task?.documentId !== id || task.kind !== kind) {
      broken.push(`the ${kind} ${number} is not known to the archive`);
      continue;
    }
    const kept = await archive.describe(archiveName(task));
    if (task.state !== "stored" || kept?.sha256 !== task.sha256) {
      broken.push(`the ${kind} ${number} is ${task.state} in the archive`);
    }
  }
  life.tally["document"] = documents.length;
  return broken;
}

function numbersInRow(life: Life): string[] {
  const numbers = life.world.simulator.control.objects("invoice")
    .map(({ number }) => number)
    .filter((number) => number !== null)
    .map((number) => Number(/\d+$/.exec(number)?.[0]))
    .toSorted((a, b) => a - b);
  return numbers.every((number, at) => number === at + 1)
    ? []
    : ["the numbers of invoices have a gap or a repeat"];
}

/** Open disputes block; lost ones do until an operator lifts it. */
async function blockedByDisputes(life: Life): Promise<string[]> {
  const { store } = life.services;
  const accounts = await store.listAccounts(ALL);
  const wrong = await Promise.all(accounts.map(async ({ id, disputeOpen }) => {
    const disputes = await store.listDisputesOf(id, ALL);
    const states = disputes.map(({ state }) => state);
    const mustBe = states.includes("open");
    const mayBe = mustBe || states.includes("lost");
    const isRight = disputeOpen ? mayBe : !mustBe;
    return isRight ? [] : [`the account ${id} is wrongly blocked or not`];
  }));
  return wrong.flat();
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
