import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { Services } from "../../../../domain/ports.ts";
import type { WebhookEvent } from "../../../../domain/webhooks/webhook_event.ts";
import {
  ageInWords,
  TROUBLE_WORDS,
} from "../../../../routes/site/operator/webhook_events.tsx";
import {
  type AdvertiserSite,
  openAdvertiserSite,
} from "../../../support/advertiser_site.ts";
import { actAtDesk } from "../../../support/desk_acts.ts";
import { openEmptyBooks } from "../../../support/empty_books.ts";
import { troubledEvent } from "../../../support/troubled_event.ts";
import { leadOf, ledTo } from "../../../support/led_to.ts";

const RETRY = "/operator/money/events/evt_1/retry";

async function opened(
  changes: Partial<WebhookEvent> = {},
  services: Partial<Services> = {},
): Promise<AdvertiserSite> {
  const site = await openAdvertiserSite({}, services);
  const { store, clock } = site.services;
  await store.transact((tx) =>
    tx.webhookEvents.save(troubledEvent("evt_1", clock.now(), changes))
  );
  return site;
}

async function attempts(site: AdvertiserSite): Promise<number | undefined> {
  const event = await site.services.store.webhookEvents.find("evt_1");
  return event?.attempts;
}

Deno.test("/operator/money names events that could not be looked into, why and how old they are", async () => {
  await using site = await opened({ type: "payment_intent.succeeded" });
  const browser = await site.browser("operator");
  const html = await (await browser.get("/operator/money")).text();
  assertStringIncludes(html, "<code>payment_intent.succeeded</code>");
  assertStringIncludes(html, "1 hour old, is stuck after 14 attempts");
  assertStringIncludes(html, TROUBLE_WORDS.processor_uncertain);
  assertStringIncludes(html, `action="${RETRY}"`);
});

Deno.test("an operator's button has an event looked into, and the page says what came of it", async () => {
  // No verb here knows of it, so nothing becomes of the try.
  for (
    const [type, wanted] of [["invoice.paid", "done"], ["no.verb", "failed"]]
  ) {
    await using books = await openEmptyBooks();
    await using site = await opened({ type: type ?? "" }, books);
    const browser = await site.browser("operator");
    const answer = await actAtDesk(browser, RETRY, {});
    assertEquals(
      [answer.status, ledTo(answer)],
      [303, `/operator/money?done=event_${wanted}`],
    );
    const html = await (await browser.get(leadOf(answer))).text();
    assertStringIncludes(html, 'role="status"');
    assertEquals(html.includes("evt_1"), wanted === "failed");
  }
});

Deno.test("an unknown event is no page", async () => {
  await using site = await openAdvertiserSite();
  const browser = await site.browser("operator");
  const answer = await browser.post(RETRY, "");
  assertEquals(answer.status, 404);
  await answer.body?.cancel();
});

Deno.test("nobody but an operator, from our own page, has an event looked into", async () => {
  await using site = await opened();
  const ada = await site.browser("ada");
  const operator = await site.browser("operator");
  const refused = [
    await ada.post(RETRY, ""),
    await operator.post(RETRY, "", { origin: null }),
    await operator.post(RETRY, "", { origin: "https://evil.example" }),
    await site.visitor(RETRY, { method: "POST" }),
  ];
  assertEquals(refused.map(({ status }) => status), [404, 403, 403, 403]);
  for (const answer of refused) await answer.body?.cancel();
  assertEquals(await attempts(site), 14);
});

Deno.test("every trouble has words of its own", () => {
  const words = Object.values(TROUBLE_WORDS);
  assertEquals(new Set(words).size, words.length);
  assert(words.every((sentence) => sentence.endsWith(".")));
});

Deno.test("an age is told in its largest whole unit", () => {
  const minute = 60_000;
  const ages = [-1, minute, 59 * minute, 60 * minute, 47 * 60 * minute];
  assertEquals(ages.map(ageInWords), [
    "0 minutes",
    "1 minute",
    "59 minutes",
    "1 hour",
    "1 day",
  ]);
});
