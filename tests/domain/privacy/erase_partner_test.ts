/** What an erasure does about a partner's account at the processor. */
import { mailedTo } from "../../../domain/accounts/mailed_to.ts";
import { assert, assertEquals } from "@std/assert";
import { DAY_MS } from "../../../domain/day.ts";
import { ProcessorUncertain } from "../../../domain/failure.ts";
import { eraseAccount } from "../../../domain/privacy/erase_account.ts";
import {
  confirmErasure,
  readErasure,
  requestErasure,
} from "../../../domain/privacy/request_erasure.ts";
import { fulfilRequests } from "../../../domain/privacy/fulfil_requests.ts";
import { PARTNER_ID } from "../../support/partners.ts";
import {
  openPayoutWorld,
  type PayoutWorld,
} from "../../support/payout_world.ts";
import { saveSession } from "../../support/sessions.ts";

async function confirmed({ world: { services, clock } }: PayoutWorld) {
  const accountId = PARTNER_ID;
  const session = await saveSession(services, accountId);
  await requestErasure(services, {
    accountId,
    grantId: null,
    by: { session },
    binding: null,
  });
  const erasure = await readErasure(services, accountId);
  assert(erasure !== null, "an erasure was asked for");
  const account = await services.store.accounts.find(accountId);
  assert(account !== null, "it is not erased yet");
  const to = mailedTo(account);
  await confirmErasure(services, { accountId, erasureId: erasure.id, to });
  clock.advance(7 * DAY_MS);
}

Deno.test("an erasure deletes the partner's account at the processor, once, and keeps what was earned in the books", async () => {
  await using given = await openPayoutWorld();
  const { services, simulator } = given.world;
  await confirmed(given);
  await fulfilRequests(services);
  assertEquals(simulator.control.objects("account"), []);
  assertEquals(await services.store.accounts.find(PARTNER_ID), null);
  assertEquals(await services.store.partners.find(PARTNER_ID), null);
  await given.checkBooks();
});

Deno.test("a partner's account in which money lies is deleted when it is empty, all else is erased before, and one that is gone counts as deleted", async () => {
  await using given = await openPayoutWorld();
  const { services, clock, simulator } = given.world;
  await confirmed(given);
  const refusing = {
    ...services,
    processor: {
      ...services.processor,
      deletePartnerAccount: () =>
        Promise.resolve({
          ok: false as const,
          code: "invalid_request_error",
          message: "The balance is not zero",
        }),
    },
  };
  await fulfilRequests(refusing);
  const waiting = await services.store.accounts.find(PARTNER_ID);
  assertEquals([waiting?.email, waiting?.partner], ["", false]);
  assertEquals(simulator.control.objects("account").length, 1);
  const { store } = services;
  assert(
    await store.partners.find(PARTNER_ID) !== null,
    "it names what is left",
  );
  const links = await store.listReferralLinks(PARTNER_ID, { limit: 9 });
  const sessions = await store.listSessions(PARTNER_ID, { limit: 9 });
  assertEquals([links, sessions], [[], []], "nothing else waits for it");
  const named = await store.listAccountNotes(PARTNER_ID, { limit: 9 });
  assertEquals(named, []);
  // Deleted there, and this process dies before it writes that down.
  await services.processor.deletePartnerAccount(given.destination, "by hand");
  clock.advance(DAY_MS);
  assertEquals(
    await eraseAccount(services, { accountId: PARTNER_ID }),
    "erased",
  );
  assertEquals(await services.store.partners.find(PARTNER_ID), null);
});

Deno.test("an erasure waits while a payout is under way", async () => {
  await using given = await openPayoutWorld();
  const { services, clock } = given.world;
  await given.ask();
  await confirmed(given);
  await fulfilRequests(services);
  const account = await services.store.accounts.find(PARTNER_ID);
  assertEquals(account?.partner, true);
  await given.send();
  clock.advance(3_600_000);
  await fulfilRequests(services);
  assertEquals(await services.store.accounts.find(PARTNER_ID), null);
  await given.checkBooks();
});

Deno.test("an erasure deletes each account of the partner at the processor, also one that the store never heard of, and nobody else's", async () => {
  await using given = await openPayoutWorld();
  const { services, simulator } = given.world;
  const made = async (accountId: string) => {
    const account = { accountId, email: "grace@example.com", country: "DE" };
    await services.processor.createPartnerAccount(account, accountId + "_2");
  };
  await made(PARTNER_ID);
  await made("acc_another");
  assertEquals(simulator.control.objects("account").length, 3);
  await confirmed(given);
  await fulfilRequests(services);
  const left = simulator.control.objects("account");
  assertEquals(left.map(({ metadata }) => metadata["account_id"]), [
    "acc_another",
  ]);
  assertEquals(await services.store.accounts.find(PARTNER_ID), null);
});

Deno.test("an account of the partner that the processor does not delete keeps none of the others, nor does a list that it does not give the known one", async () => {
  await using given = await openPayoutWorld();
  const { services, simulator, clock } = given.world;
  for (const nth of ["2", "3"]) {
    const email = "grace@example.com";
    const account = { accountId: PARTNER_ID, email, country: "DE" };
    await services.processor.createPartnerAccount(account, nth);
  }
  await confirmed(given);
  const left = () => simulator.control.objects("account").map(({ id }) => id);
  const [, stays = ""] = left();
  const { processor } = services;
  let isListed = false;
  const refusing: typeof services = {
    ...services,
    processor: {
      ...processor,
      listPartnerAccounts: (span, cursor, limit) =>
        isListed
          ? processor.listPartnerAccounts(span, cursor, limit)
          : Promise.reject(new ProcessorUncertain("no answer")),
      deletePartnerAccount: (id, key) =>
        id === stays
          ? Promise.resolve({ ok: false, code: "refused", message: "" })
          : processor.deletePartnerAccount(id, key),
    },
  };
  await fulfilRequests(refusing);
  assertEquals(left().includes(given.destination), false, "the known one");
  assertEquals(left().length, 2);
  isListed = true;
  clock.advance(DAY_MS);
  await fulfilRequests(refusing);
  assertEquals(left(), [stays]);
  clock.advance(DAY_MS);
  await fulfilRequests(services);
  assertEquals(left(), []);
  assertEquals(await services.store.partners.find(PARTNER_ID), null);
});
