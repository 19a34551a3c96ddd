import { assertEquals, assertRejects } from "@std/assert";
import { newAccount } from "../../../domain/accounts/new_account.ts";
import { keepCards } from "../../../domain/cards/keep_cards.ts";
import {
  openBillingPortal,
  portalUrlOf,
} from "../../../domain/cards/open_billing_portal.ts";
import { ProcessorUncertain } from "../../../domain/failure.ts";
import { requestHash } from "../../../domain/idempotency/canonical_json.ts";
import { submit, visit } from "../../processor/simulator/browser.ts";
import { assertRefused } from "../../support/refused.ts";
import { type CardsWorld, openCardsWorld } from "./cards_world.ts";

const BINDING = {
  owner: "gr_1",
  operation: "POST /v1/agent/billing_portal",
  key: "k".repeat(255),
  requestHash: requestHash({}),
};

/** The sessions of the portal that the processor has. */
function opened({ simulator }: CardsWorld): number | undefined {
  return simulator.control.state().objects["portal_session"];
}

Deno.test("the portal is the account's own, and a card removed there is gone here", async () => {
  await using world = await openCardsWorld();
  const accountId = await world.account("ada");
  const visa = await world.save(accountId, "visa");
  await world.save(accountId, "mastercard");
  const input = { accountId, binding: null };
  const url = portalUrlOf(await openBillingPortal(world.services, input));
  const { title, links } = await visit(url);
  assertEquals(title, "Your cards");
  assertEquals(
    links["Return to the seller"],
    "https://spotlight.example/billing/return",
  );
  await submit(url, { remove: visa.id });
  assertEquals(await world.cards(accountId), ["4444", "4242*"]);
  // Its user never comes back.
  world.clock.advance(15 * 60_000);
  await keepCards(world.services);
  assertEquals(await world.cards(accountId), ["4444*"]);
});

Deno.test("a repeat gets the same link, those at the same time too", async () => {
  await using world = await openCardsWorld();
  const accountId = await world.account("ada");
  const input = { accountId, binding: BINDING };
  const open = (services = world.services) =>
    openBillingPortal(services, input);
  const answers = await Promise.all([open(), open(world.isolate().services)]);
  answers.push(await open());
  assertEquals(new Set(answers.map(portalUrlOf)).size, 1);
  assertEquals(answers.at(-1)?.replayed, true);
  assertEquals(opened(world), 1);
  const other = { ...BINDING, requestHash: requestHash({ other: true }) };
  await assertRefused(
    () => openBillingPortal(world.services, { accountId, binding: other }),
    "idempotency_conflict",
  );
});

Deno.test("without a key each link is a new one", async () => {
  await using world = await openCardsWorld();
  const accountId = await world.account("ada");
  const open = () =>
    openBillingPortal(world.services, { accountId, binding: null });
  await open();
  await open();
  assertEquals(opened(world), 2);
});

Deno.test("there is no portal before onboarding, nor while the processor is silent", async () => {
  await using world = await openCardsWorld();
  await world.services.store.transact((tx) => {
    tx.accounts.save(newAccount("acc_new", "new@example.com", 0));
  });
  await assertRefused(
    () =>
      openBillingPortal(world.services, {
        accountId: "acc_new",
        binding: BINDING,
      }),
    "human_step_required",
  );
  const accountId = await world.account("ada");
  const path = "/v1/billing_portal/sessions";
  world.simulator.control.addFault({ kind: "rate_limit", path });
  const open = () =>
    openBillingPortal(world.services, { accountId, binding: BINDING });
  await assertRejects(open, ProcessorUncertain);
  assertEquals((await open()).replayed, false);
});
