/**
 * What people ask for about their data: copies, and erasures that they call off
 * or let happen.
 *
 * @module
 */
import { mailedTo } from "../../domain/accounts/mailed_to.ts";
import { TemporaryFailure } from "../../domain/failure.ts";
import { readCopy } from "../support/data_copies.ts";
import {
  confirmErasure,
  keepAccount,
  readErasure,
  requestErasure,
} from "../../domain/privacy/request_erasure.ts";
import {
  listExports,
  requestExport,
} from "../../domain/privacy/request_export.ts";
import { Refused } from "../../domain/refusal.ts";
import { isCrash } from "../support/faults.ts";
import { browserOf, PARTNERS } from "./people.ts";
import type { Person } from "./person.ts";
import type { Life } from "./world.ts";

/** One day of people and their data. */
export async function claimRights(life: Life): Promise<void> {
  const { random } = life;
  if (random.chance(0.15)) await askForCopy(life);
  if (random.chance(0.08)) await askForErasure(life);
  if (random.chance(0.1)) await callOff(life);
  await readCopies(life);
}

/** Somebody whose account is still there. */
async function somebody({ random, people, services }: Life): Promise<
  Person | null
> {
  // The first partner stays, so that there is always somebody to follow.
  const may = random.chance(0.1) ? people.slice(1) : people.slice(PARTNERS);
  const person = random.any(may);
  if (person === undefined) return null;
  const account = await services.store.accounts.find(person.accountId);
  return account === null || account.email === "" ? null : person;
}

async function askForCopy(life: Life): Promise<void> {
  const person = await somebody(life);
  if (person === null) return;
  const { accountId } = person;
  await expected(life, "copy", async () => {
    const by = { session: await browserOf(life, accountId) };
    const asked = { accountId, grantId: null, by, binding: null };
    await requestExport(life.services, asked);
  });
}

async function askForErasure(life: Life): Promise<void> {
  const person = await somebody(life);
  if (person === null) return;
  const { accountId } = person;
  const { services, random } = life;
  await expected(life, "erasure asked for", async () => {
    const by = { session: await browserOf(life, accountId) };
    const asked = { accountId, grantId: null, by, binding: null };
    await requestErasure(services, asked);
  });
  const erasure = await readErasure(services, accountId);
  if (erasure === null || random.chance(0.2)) return;
  await expected(life, "erasure confirmed", async () => {
    const account = await services.store.accounts.find(accountId);
    if (account === null) return;
    const about = { accountId, erasureId: erasure.id };
    await confirmErasure(services, { ...about, to: mailedTo(account) });
    life.kept.delete(accountId);
  });
}

/** By the link of the mail, some of them too late. */
async function callOff(life: Life): Promise<void> {
  const person = await somebody(life);
  if (person === null) return;
  const { accountId } = person;
  const erasure = await readErasure(life.services, accountId);
  if (erasure === null) return;
  const stays = await keepAccount(life.services, {
    accountId,
    erasureId: erasure.id,
  });
  if (!stays) return;
  life.kept.add(accountId);
  life.count("erasure called off");
}

/** Every copy that has become ready is of its owner, and of nobody else. */
async function readCopies(life: Life): Promise<void> {
  const { people, services, broken } = life;
  for (const person of people) {
    const { accountId, canary } = person;
    for (const copy of await listExports(services, accountId)) {
      if (copy.readyAtMs === null || life.copiesRead.has(copy.id)) continue;
      life.copiesRead.add(copy.id);
      const bytes = await readCopy(services, copy);
      const text = new TextDecoder().decode(bytes ?? new Uint8Array());
      const others = people.filter((each) =>
        each !== person && text.includes(each.canary)
      );
      if (!text.includes(canary)) {
        broken.push(`the copy ${copy.id} is not of its owner`);
      }
      if (others.length > 0) {
        broken.push(`the copy ${copy.id} has others' data`);
      }
      life.count("copy read");
    }
  }
}

/** Whatever a person may be refused, or a dying process leaves undone. */
async function expected(
  life: Life,
  what: string,
  act: () => Promise<void>,
): Promise<void> {
  try {
    await act();
    life.count(what);
  } catch (error) {
    const isExpected = error instanceof Refused || isCrash(error) ||
      error instanceof TemporaryFailure;
    if (!isExpected) throw error;
    life.count(`${what}: not now`);
  }
}
