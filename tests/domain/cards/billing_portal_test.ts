import { assertEquals, assertRejects } from "@std/assert";
import { newAccount } from "../../../domain/accounts/new_account.ts";
import { sweepCards } from "../../../domain/cards/sweep_cards.ts";
import { openBillingPortal } from "../../../domain/cards/open_billing_portal.ts";
import { ProcessorUncertain } from "../../../domain/failure.ts";
import { requestHash } from "../../../domain/idempotency/canonical_json.ts";
import type { Authority } from "../../../domain/sessions/authority.ts";
import type { Services } from "../../../domain/ports.ts";
import { submit, visit } from "../../simulators/stripe/browser.ts";
import {
  AGENTS_PORTALS_AN_HOUR,
  PORTALS_AN_HOUR,
} from "../../../domain/cards/cards_state.ts";
import { byBrowser } from "../../support/sessions.ts";
import { assertRefused, refusalOf } from "../../support/refused.ts";
import { GRANT } from "../readiness/snapshots.ts";
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
  const input = { accountId, by: byBrowser(accountId), binding: null };
  const { value: { url } } = await openBillingPortal(world.services, input);
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
  await sweepCards(world.services);
  assertEquals(await world.cards(accountId), ["4444*"]);
});

Deno.test("a repeat gets the same link, and is in flight while the first request is under way", async () => {
  await using world = await openCardsWorld();
  const accountId = await world.account("ada");
  const input = { accountId, by: byBrowser(accountId), binding: BINDING };
  const { processor } = world.services;
  const repeat = () => openBillingPortal(world.services, input);
  const slow: Services = {
    ...world.services,
    processor: {
      ...processor,
      async createBillingPortal(...call) {
        await assertRefused(repeat, "idempotency_in_flight");
        return await processor.createBillingPortal(...call);
      },
    },
  };
  const first = await openBillingPortal(slow, input);
  const again = await repeat();
  assertEquals([first.replayed, again.replayed], [false, true]);
  assertEquals(again.value.url, first.value.url);
  assertEquals(opened(world), 1);
  const other = { ...BINDING, requestHash: requestHash({ other: true }) };
  await assertRefused(
    () => openBillingPortal(world.services, { ...input, binding: other }),
    "idempotency_conflict",
  );
});

Deno.test("a process that dies while it asks for a link leaves the key taken for 45 seconds", async () => {
  await using world = await openCardsWorld();
  const accountId = await world.account("ada");
  const input = { accountId, by: byBrowser(accountId), binding: BINDING };
  const { store, clock } = world.services;
  // What the dead process had written, and nothing after it.
  await store.transact((tx) =>
    tx.idempotency.save({
      ...BINDING,
      state: "in_flight",
      answer: null,
      expiresAtMs: clock.now() + 45_000,
    })
  );
  const open = () => openBillingPortal(world.services, input);
  world.clock.advance(44_999);
  await assertRefused(open, "idempotency_in_flight");
  world.clock.advance(1);
  assertEquals((await open()).replayed, false);
  assertEquals((await open()).replayed, true);
  assertEquals(opened(world), 1);
});

Deno.test("of two that have had the key one after the other both get one link", async () => {
  await using world = await openCardsWorld();
  const accountId = await world.account("ada");
  const input = { accountId, by: byBrowser(accountId), binding: BINDING };
  const { processor } = world.services;
  const slow: Services = {
    ...world.services,
    processor: {
      ...processor,
      async createBillingPortal(...call) {
        // So long that the key is free again.
        world.clock.advance(45_000);
        const other = await openBillingPortal(world.services, input);
        assertEquals(other.replayed, false);
        return await processor.createBillingPortal(...call);
      },
    },
  };
  const late = await openBillingPortal(slow, input);
  const again = await openBillingPortal(world.services, input);
  assertEquals([late.replayed, again.replayed], [true, true]);
  assertEquals(late.value.url, again.value.url);
  assertEquals(opened(world), 1);
});

Deno.test("without a key each link is a new one", async () => {
  await using world = await openCardsWorld();
  const accountId = await world.account("ada");
  const open = () =>
    openBillingPortal(world.services, {
      accountId,
      by: byBrowser(accountId),
      binding: null,
    });
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
        by: byBrowser("acc_new"),
        binding: BINDING,
      }),
    "human_step_required",
  );
  const accountId = await world.account("ada");
  const path = "/v1/billing_portal/sessions";
  world.simulator.control.addFault({ kind: "rate_limit", path });
  const open = () =>
    openBillingPortal(world.services, {
      accountId,
      by: byBrowser(accountId),
      binding: BINDING,
    });
  await assertRejects(open, ProcessorUncertain);
  assertEquals((await open()).replayed, false);
});

Deno.test("an account is given 20 links to the billing portal an hour, by however many agents", async () => {
  await using world = await openCardsWorld();
  const accountId = await world.account("ada");
  const ask = (nth: number) =>
    openBillingPortal(world.services, {
      accountId,
      by: byBrowser(accountId),
      binding: { ...BINDING, owner: `gr_${nth}` },
    });
  for (let nth = 0; nth < PORTALS_AN_HOUR; nth++) await ask(nth);
  const refusal = await refusalOf(() => ask(PORTALS_AN_HOUR));
  assertEquals(refusal, {
    code: "rate_limited",
    retryAfterS: 3_600,
    of: "account",
  });
  assertEquals(opened(world), PORTALS_AN_HOUR);
  // The key is free again, and a repeat of what was answered asks nobody.
  await ask(0);
  world.clock.advance(3_600_000);
  await ask(PORTALS_AN_HOUR);
  assertEquals(opened(world), PORTALS_AN_HOUR + 1);
});

Deno.test("an account's agents leave the last 5 links to the billing portal in an hour to its owner", async () => {
  await using world = await openCardsWorld();
  const accountId = await world.account("ada");
  const grant = { ...GRANT, accountId };
  await world.services.store.transact((tx) => tx.grants.save(grant));
  const ask = (by: Authority) =>
    openBillingPortal(world.services, { accountId, by, binding: null });
  const lineId = grant.lines[0]?.id ?? "";
  const byAgent = { grant: { id: grant.id, lineId } };
  for (let nth = 0; nth < AGENTS_PORTALS_AN_HOUR; nth++) await ask(byAgent);
  await assertRefused(() => ask(byAgent), "rate_limited");
  for (let nth = AGENTS_PORTALS_AN_HOUR; nth < PORTALS_AN_HOUR; nth++) {
    await ask(byBrowser(accountId));
  }
  await assertRefused(() => ask(byBrowser(accountId)), "rate_limited");
  assertEquals(opened(world), PORTALS_AN_HOUR);
});
