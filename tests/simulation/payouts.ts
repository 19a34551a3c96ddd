/**
 * Partners who ask for their money, banks that send some of it back or take no
 * more, and the operator, who ends partnerships.
 *
 * @module
 */
import { TemporaryFailure } from "../../domain/failure.ts";
import {
  approvePartner,
  endPartner,
} from "../../domain/partners/decide_partner.ts";
import { PAYOUT_MIN_CENTS } from "../../domain/partners/limits.ts";
import { withheldCents } from "../../domain/partners/partner_balance.ts";
import { readBalance } from "../../domain/partners/read_figures.ts";
import { requestPayout } from "../../domain/partners/request_payout.ts";
import { setUpAccount } from "../../domain/partners/set_up_account.ts";
import { syncAccount } from "../../domain/partners/sync_account.ts";
import { Refused } from "../../domain/refusal.ts";
import { isCrash } from "../support/faults.ts";
import { browserOf, PARTNERS } from "./people.ts";
import { dyingProcess, type Life } from "./world.ts";

/** How the operator decides. */
const DECIDED = {
  by: { kind: "operator_key" },
  reason: "By the simulation",
  about: null,
} as const;

/** Has the processor pay a partner: an account there, and all it asks for. */
export async function letBePaid(life: Life, partnerId: string): Promise<void> {
  const { services, world } = life;
  const by = { session: await browserOf(life, partnerId) };
  await setUpAccount(services, { partnerId, by, country: "AT" });
  const partner = await services.store.partners.find(partnerId);
  const id = partner?.connectedAccount?.id ?? "";
  world.simulator.control.partners.turn(id, "complete");
  await syncAccount(services, id);
}

/** One day of partners, their banks, and the operator. */
export async function movePayouts(life: Life): Promise<void> {
  const { random, people } = life;
  if (random.chance(0.02)) await endSomebody(life);
  if (random.chance(0.3)) await takeBackIn(life);
  if (random.chance(0.3)) turnAccount(life);
  for (const { accountId } of people.slice(0, PARTNERS)) {
    if (random.chance(0.3)) await askForMoney(life, accountId);
  }
  if (random.chance(0.1)) sendBack(life);
}

/** A partner's bank refuses its account, or nothing is in the way of it any more. */
function turnAccount(life: Life): void {
  const { random, world } = life;
  const { control } = world.simulator;
  const account = random.any(control.objects("account"));
  if (account === undefined) return;
  const turn = account.payouts_enabled
    ? random.chance(0.08) ? random.pick(["bank_refused", "in_review"]) : null
    : "complete";
  if (turn === null) return;
  control.partners.turn(account.id, turn);
  life.count(`account ${turn}`);
}

/** The operator ends a partnership. */
async function endSomebody(life: Life): Promise<void> {
  const { random, people, services, endings, world } = life;
  const who = random.any(people.slice(0, PARTNERS));
  if (who === undefined) return;
  const { accountId } = who;
  const partner = await services.store.partners.find(accountId);
  if (partner?.state !== "approved") return;
  await endPartner(services, { accountId, ...DECIDED });
  endings.push({ partnerId: accountId, fromMs: world.clock.now() });
  life.count("partnership ended");
}

/** And takes back who was ended. */
async function takeBackIn(life: Life): Promise<void> {
  const { services, endings, world } = life;
  const ending = endings.find(({ untilMs }) => untilMs === undefined);
  if (ending === undefined) return;
  const { partnerId: accountId } = ending;
  const partner = await services.store.partners.find(accountId);
  if (partner?.state !== "ended") return;
  const order = { accountId, ...DECIDED, about: partner.pitch };
  await approvePartner(services, order);
  ending.untilMs = world.clock.now();
  life.count("partnership begun again");
}

/** All that is payable, now and then by a process that dies over it. */
async function askForMoney(life: Life, partnerId: string): Promise<void> {
  const { services, random } = life;
  const asked = random.chance(0.2) ? dyingProcess(life) : services;
  const withheld = withheldCents(await readBalance(services, partnerId));
  try {
    const by = { session: await browserOf(life, partnerId) };
    const { value } = await requestPayout(asked, {
      partnerId,
      by,
      binding: null,
    });
    life.count("payout");
    if (withheld > 0) tellsNothing(life, value.amount_cents);
  } catch (error) {
    const isExpected = error instanceof Refused || isCrash(error) ||
      error instanceof TemporaryFailure;
    if (!isExpected) throw error;
    life.count("payout not asked for");
  }
}

/** What is taken back meanwhile is nobody's to know: it is a single invoice's. */
function tellsNothing(life: Life, amountCents: number): void {
  life.count("payout while something is withheld");
  if (amountCents % PAYOUT_MIN_CENTS === 0) return;
  life.broken.push(`a payout of ${amountCents} tells what was taken back`);
}

/** The bank sends a transfer back, or a part of it. */
function sendBack(life: Life): void {
  const { random, world } = life;
  const { control } = world.simulator;
  const transfer = random.any(
    control.objects("transfer").filter((each) =>
      each.amount > each.amount_reversed
    ),
  );
  if (transfer === undefined) return;
  const left = transfer.amount - transfer.amount_reversed;
  const cents = random.chance(0.5) ? left : random.between(1, left);
  control.partners.reverse(transfer.id, cents);
  life.count("transfer came back");
}
