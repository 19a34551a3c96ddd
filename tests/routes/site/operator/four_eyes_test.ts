import { assertEquals, assertStringIncludes } from "@std/assert";
import { AUCTION_DAY } from "../../../support/auction_world.ts";
import { siteOver } from "../../../support/advertiser_site.ts";
import { ask, bindings } from "../../../support/bindings.ts";
import { actAtDesk } from "../../../support/desk_acts.ts";
import { deskText } from "../../../support/desk_site.ts";
import { openPaidDay, PAID_CENTS } from "../../../support/paid_day.ts";
import { answerOf, assertProblem, KEY, openHost } from "./operator_site.ts";
import { leadOf, ledTo } from "../../../support/led_to.ts";

const DAY = `/operator/days/${AUCTION_DAY}`;

/** A paid day whose refund takes two, with a desk and the operator API. */
async function openTwo() {
  const day = await openPaidDay();
  const { services: given, testStore } = day.world;
  const settings = {
    ...given.settings,
    refundFourEyesCents: PAID_CENTS - 1,
    operatorEmails: ["ada@example.com", "ben@example.com"],
  };
  const services = { ...given, settings };
  const site = siteOver(services, testStore);
  const host = await openHost(services, testStore.realKv);
  return {
    day,
    services,
    ada: await site.browser("ada"),
    ben: await site.browser("ben"),
    refundByKey: () =>
      ask(host.app, `/operator/v1/spotlights/${AUCTION_DAY}/refund`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${KEY}`,
          "content-type": "application/json",
        },
        body: JSON.stringify({ note: "By the night shift." }),
      }, bindings()),
    async [Symbol.asyncDispose]() {
      await host.close();
      await site.limiter.close();
      await day[Symbol.asyncDispose]();
    },
  };
}

Deno.test("a large refund waits at the desk until another operator asks for it, and the API says that it waits", async () => {
  await using two = await openTwo();
  const { ada, ben, day, services } = two;
  const order = { reason: "It was shown for an hour." };
  const first = await actAtDesk(ada, `${DAY}/refund`, order);
  assertEquals(ledTo(first), `${DAY}?done=waits`);
  assertStringIncludes(await deskText(ada, leadOf(first)), "waits");
  const again = await actAtDesk(ada, `${DAY}/refund`, order);
  assertEquals(again.status, 409);
  assertStringIncludes(await again.text(), "you asked for it already");
  const money = await deskText(ben, "/operator/money");
  assertStringIncludes(money, "Refund to confirm");
  assertStringIncludes(money, "ada@example.com");
  assertStringIncludes(money, "It was shown for an hour.");
  assertStringIncludes(await deskText(ben, "/operator"), "1 refund to confirm");
  assertEquals((await day.invoice()).money, "sold");
  const second = await actAtDesk(ben, `${DAY}/refund`, order);
  assertEquals(ledTo(second), `${DAY}?done=refund`);
  assertEquals((await day.invoice()).money, "refunded");
  const any = { subject: null, person: null, fromMs: 0, untilMs: 4e12 };
  const lines = await services.store.listOperatorActs(any, {
    limit: 9,
    before: null,
  });
  assertEquals(
    lines.map(({ by, change }) => [by.kind, change?.after]),
    [
      ["account", {
        invoice: (await day.invoice()).number,
        money: "refunding",
      }],
      ["account", { waits: true }],
    ],
  );
});

Deno.test("the API's order of a large refund waits, is refused again, and is confirmed at the desk", async () => {
  await using two = await openTwo();
  const { number } = await two.day.invoice();
  const until = "2026-11-21T23:5";
  const waits = await answerOf(await two.refundByKey());
  assertEquals([waits.invoice, waits.money], [number, "sold"]);
  const saidUntil: string = waits.waits_for_another_operator_until;
  assertStringIncludes(saidUntil, until);
  await assertProblem(
    await two.refundByKey(),
    409,
    "CONFLICT",
    `Cannot give back the money of ${AUCTION_DAY}: the key of the ` +
      `configuration called OPERATOR_KEY asked for it, another operator has to confirm it until ${saidUntil}`,
  );
  await actAtDesk(two.ada, `${DAY}/refund`, { reason: "Yes." });
  assertEquals((await two.day.invoice()).money, "refunded");
});

Deno.test("a Spotlight that is removed with its refund is gone, and the refund waits", async () => {
  await using two = await openTwo();
  const order = { reason: "A court order.", refund: "yes" };
  const answer = await actAtDesk(two.ada, `${DAY}/remove`, order);
  assertEquals(ledTo(answer), `${DAY}?done=waits`);
  const { store } = two.services;
  const shown = await store.spotlights.find(AUCTION_DAY);
  assertEquals(shown?.removalReason, "A court order.");
  assertEquals((await two.day.invoice()).money, "sold");
  assertEquals((await store.listRefundRequests({ limit: 9 })).length, 1);
});
