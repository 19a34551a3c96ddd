/**
 * What has to be true of people's data at the end of every life.
 *
 * @module
 */
import { DAY_MS } from "../../domain/day.ts";
import { readErasure } from "../../domain/privacy/request_erasure.ts";
import { linesWith } from "../support/canary_account.ts";
import { isUnderWay } from "./elsewhere.ts";
import { ALL } from "./facts.ts";
import type { Person } from "./person.ts";
import type { Life } from "./world.ts";

/** Settled ads are published, with a company's name. */
const KEPT = ["spotlights"];

/** Who is to be forgotten is, and nobody else; no log ever named anybody. */
export async function forgotten(life: Life): Promise<string[]> {
  const { services: { store }, people } = life;
  const erased = await store.listErasedAccounts({ ...ALL, after: null });
  const ids = new Set(erased.map(({ accountId }) => accountId));
  const gone = people.filter(({ accountId }) => ids.has(accountId));
  life.tally["erased"] = gone.length;
  const broken = await Promise.all(
    people.map((each) =>
      ids.has(each.accountId) ? stillErased(life, each) : stillThere(life, each)
    ),
  );
  const logged = JSON.stringify(life.world.log.lines);
  return [
    ...broken.flat(),
    ...await rowsOf(life, gone),
    ...gone.filter(({ canary }) => atProcessor(life, canary))
      .map(({ accountId }) => `the processor still knows ${accountId}`),
    ...people.filter(({ canary }) => logged.includes(canary))
      .map(({ accountId }) => `the log names the owner of ${accountId}`),
  ];
}

async function stillErased(
  { services: { store }, kept }: Life,
  { accountId }: Person,
): Promise<string[]> {
  const account = await store.accounts.find(accountId);
  return [
    ...account === null ? [] : [`${accountId} was erased and is back`],
    ...kept.has(accountId) ? [`${accountId} was erased though called off`] : [],
  ];
}

/** Without an erasure, or before its day. */
async function stillThere(
  life: Life,
  { accountId }: Person,
): Promise<string[]> {
  const { services } = life;
  const account = await services.store.accounts.find(accountId);
  if (account === null) return [`${accountId} is gone and was not erased`];
  const { eraseAtMs = null } = await readErasure(services, accountId) ?? {};
  const isLate = eraseAtMs !== null &&
    eraseAtMs < services.clock.now() - DAY_MS;
  return isLate && !await waitsForBank(life, accountId)
    ? [`${accountId} is not erased in time`]
    : [];
}

/** Whether a bank has not decided a dispute of the account: that comes first. */
async function waitsForBank(
  { services, world }: Life,
  accountId: string,
): Promise<boolean> {
  const own = (await services.store.listDisputesOf(accountId, ALL))
    .map(({ id }) => id);
  return world.simulator.control.objects("dispute").some((each) =>
    own.includes(each.id) && isUnderWay(each)
  );
}

/** No row outside the kept books has a word of who was erased. */
async function rowsOf(
  { world }: Life,
  gone: readonly Person[],
): Promise<string[]> {
  const canaries = gone.map(({ canary }) => canary);
  return (await linesWith(world, canaries))
    .filter(([[family]]) => !KEPT.includes(family))
    .map(([key]) => `the row ${JSON.stringify(key)} names who was erased`);
}

/** Invoices are kept there, as the law wants it. */
function atProcessor({ world }: Life, canary: string): boolean {
  const { control } = world.simulator;
  const known = [
    ...control.objects("customer"),
    ...control.objects("payment_method"),
    ...control.objects("account"),
  ];
  return known.some((each) => JSON.stringify(each).includes(canary));
}
