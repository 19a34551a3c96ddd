import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import type { PaymentMethod } from "../../../domain/accounts/account.ts";
import {
  cardEndsAtMs,
  dueWarning,
  isExpired,
  nextWarningMs,
} from "../../../domain/cards/expiry.ts";
import { chooseMails } from "../../../domain/accounts/mail_choices.ts";
import { removeCard } from "../../../domain/cards/remove_card.ts";
import { setDefaultCard } from "../../../domain/cards/set_default_card.ts";
import { warnOfExpiry } from "../../../domain/cards/warn_of_expiry.ts";
import { OutcomeUnknown } from "../../../domain/failure.ts";
import { type CardsWorld, openCardsWorld } from "./cards_world.ts";
import { byBrowser } from "../../support/sessions.ts";

const DAY_MS = 86_400_000;

/** The simulator's cards expire with December of the third year from now. */
const ENDS_MS = Date.parse("2030-01-01T00:00:00Z");

const card: PaymentMethod = {
  id: "pm_1",
  accountId: "acc_1",
  brand: "visa",
  last4: "4242",
  expMonth: 12,
  expYear: 2029,
  createdAtMs: 0,
};

async function withCard(world: CardsWorld) {
  const accountId = await world.account("ada");
  const { id } = await world.save(accountId);
  const by = byBrowser(accountId);
  return { accountId, paymentMethodId: id, by, binding: null };
}

async function mails({ services }: CardsWorld): Promise<string[]> {
  const all = await services.store.listMails({ limit: 9 });
  return all.map(({ to, subject }) => `${to}: ${subject}`);
}

const MAIL = "ada@example.com: Your card for Spotlight expires on 2029-12-31";

/** Runs the job every day through to the card's end and beyond. */
async function everyDay(world: CardsWorld, untilMs = ENDS_MS + 3 * DAY_MS) {
  while (world.clock.now() < untilMs) {
    await warnOfExpiry(world.services);
    world.clock.advance(DAY_MS);
  }
}

Deno.test("a card ends with its last month, UTC", () => {
  assertEquals(cardEndsAtMs(card), ENDS_MS);
  assertEquals(isExpired(card, ENDS_MS - 1), false);
  assertEquals(isExpired(card, ENDS_MS), true);
  const february = { expMonth: 2, expYear: 2028 };
  assertEquals(cardEndsAtMs(february), Date.parse("2028-03-01T00:00:00Z"));
});

Deno.test("a warning is due from 30 and from 7 days before the end", () => {
  const at = (days: number, warnedDays?: 30 | 7) =>
    dueWarning(
      { ...card, ...warnedDays !== undefined && { warnedDays } },
      ENDS_MS - days * DAY_MS,
    );
  assertEquals([at(30.1), at(30), at(7.1), at(7), at(0)], [
    null,
    30,
    30,
    7,
    null,
  ]);
  assertEquals([at(29, 30), at(7, 30), at(6, 7)], [null, 7, null]);
});

Deno.test("whenever the job runs, each warning is sent once and none after the end", () => {
  fc.assert(fc.property(
    fc.array(fc.integer({ min: -50 * 24, max: 5 * 24 }), { maxLength: 40 }),
    (hours) => {
      let now = card;
      const sent: number[] = [];
      for (const hour of hours.toSorted((a, b) => a - b)) {
        const nowMs = ENDS_MS + hour * 3_600_000;
        const days = dueWarning(now, nowMs);
        const dueMs = nextWarningMs(now);
        if (days === null) continue;
        assert(dueMs !== null && dueMs <= nowMs, "the index has found it");
        sent.push(days);
        now = { ...now, warnedDays: days };
        assert(nowMs < ENDS_MS);
      }
      assert(sent.length <= 2 && new Set(sent).size === sent.length);
      assertEquals(sent, sent.toSorted((a, b) => b - a));
    },
  ));
});

Deno.test("the owner of a default card is mailed twice, 30 and 7 days before", async () => {
  await using world = await openCardsWorld();
  await withCard(world);
  world.clock.set(ENDS_MS - 31 * DAY_MS);
  await warnOfExpiry(world.services);
  assertEquals(await mails(world), []);
  world.clock.advance(DAY_MS);
  await warnOfExpiry(world.services);
  assertEquals(await mails(world), [MAIL]);
  const [mail] = await world.services.store.listMails({ limit: 1 });
  assertStringIncludes(mail?.text ?? "", "Visa card ending in 4242");
  assertStringIncludes(mail?.text ?? "", "https://spotlight.example/billing");
  world.clock.advance(20 * DAY_MS);
  await warnOfExpiry(world.services);
  // Mails are kept for 7 days, and this one is not due yet.
  assertEquals(await mails(world), []);
  world.clock.advance(3 * DAY_MS);
  await everyDay(world, ENDS_MS - DAY_MS);
  assertEquals(await mails(world), [MAIL]);
  world.clock.set(ENDS_MS + 8 * DAY_MS);
  await everyDay(world, ENDS_MS + 20 * DAY_MS);
  assertEquals(await mails(world), []);
  const { store, clock } = world.services;
  const due = await store.listDue("cardWarnings", clock.now(), { limit: 9 });
  assertEquals(due, []);
});

Deno.test("two isolates and a lost answer send a warning once", async () => {
  await using world = await openCardsWorld();
  await withCard(world);
  world.clock.set(ENDS_MS - 30 * DAY_MS);
  const other = world.isolate();
  other.kv.inject({
    on: "commit",
    fault: { kind: "fail_after", error: new OutcomeUnknown() },
  });
  await Promise.all([
    warnOfExpiry(world.services),
    warnOfExpiry(other.services),
  ]);
  await warnOfExpiry(other.services);
  assertEquals(await mails(world), [MAIL]);
});

Deno.test("after an outage only the warning that is still right is sent", async () => {
  await using world = await openCardsWorld();
  await withCard(world);
  world.clock.set(ENDS_MS - 3 * DAY_MS);
  await warnOfExpiry(world.services);
  await warnOfExpiry(world.services);
  assertEquals(await mails(world), [MAIL]);
});

Deno.test("nobody is warned of a card that was removed, or is not the default", async () => {
  await using world = await openCardsWorld();
  const input = await withCard(world);
  world.clock.set("2028-06-01T00:00:00Z");
  const newer = await world.save(input.accountId, "mastercard");
  const chosen = { ...input, paymentMethodId: newer.id };
  await setDefaultCard(world.services, chosen);
  await everyDay(world);
  assertEquals(await mails(world), []);
  world.clock.set("2031-12-02T00:00:00Z");
  await removeCard(world.services, chosen);
  await warnOfExpiry(world.services);
  assertEquals(await mails(world), [], "the older card has expired already");
});

Deno.test("a card that expires is not mailed to who wants none", async () => {
  await using world = await openCardsWorld();
  const { accountId } = await withCard(world);
  const choose = (card_expiry: boolean) =>
    chooseMails(world.services, { accountId, choices: { card_expiry } });
  await choose(false);
  await everyDay(world, ENDS_MS - 10 * DAY_MS);
  assertEquals(await mails(world), []);
  // The warning that was not wanted is over; the next one is wanted again.
  await choose(true);
  await everyDay(world, ENDS_MS - DAY_MS);
  assertEquals(await mails(world), [MAIL]);
});
