/**
 * Partners who ask for their money, and banks that send some of it back.
 *
 * @module
 */
import { TemporaryFailure } from "../../domain/failure.ts";
import { requestPayout } from "../../domain/partners/request_payout.ts";
import { setUpAccount } from "../../domain/partners/set_up_account.ts";
import { syncAccount } from "../../domain/partners/sync_account.ts";
import { Refused } from "../../domain/refusal.ts";
import { isCrash } from "../support/faults.ts";
import { browserOf, PARTNERS } from "./people.ts";
import { dyingProcess, type Life } from "./world.ts";

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

/** One day of partners and their banks. */
export async function movePayouts(life: Life): Promise<void> {
  const { random, people } = life;
  for (const { accountId } of people.slice(0, PARTNERS)) {
    if (random.chance(0.3)) await askForMoney(life, accountId);
  }
  if (random.chance(0.1)) sendBack(life);
}

/** All that is payable, now and then by a process that dies over it. */
async function askForMoney(life: Life, partnerId: string): Promise<void> {
  const { services, random } = life;
  const asked = random.chance(0.2) ? dyingProcess(life) : services;
  try {
    const by = { session: await browserOf(life, partnerId) };
    await requestPayout(asked, { partnerId, by, binding: null });
    life.count("payout");
  } catch (error) {
    const isExpected = error instanceof Refused || isCrash(error) ||
      error instanceof TemporaryFailure;
    if (!isExpected) throw error;
    life.count("payout not asked for");
  }
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
