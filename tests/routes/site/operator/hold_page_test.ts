import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { gatedPorts } from "../../../../domain/hold/gate.ts";
import {
  type AdvertiserSite,
  openAdvertiserSite,
} from "../../../support/advertiser_site.ts";
import { FRESH_SIGN_IN_MS } from "../../../../domain/sessions/session.ts";
import { openEmptyBooks } from "../../../support/empty_books.ts";
import { assertFaults } from "../../../support/form_faults.ts";
import { putOnHold } from "../../../support/restored_world.ts";
import { startTestProcessor } from "../../../support/test_processor.ts";
import { createStripeProcessor } from "../../../../adapters/stripe/stripe_processor.ts";

const PATH = "/operator/hold";

async function textOf(answer: Response, status = 200): Promise<string> {
  assertEquals(answer.status, status);
  assertEquals(answer.headers.get("cache-control"), "no-store");
  return await answer.text();
}

async function isOnHold({ services }: AdvertiserSite): Promise<boolean> {
  return await services.store.currentHold() !== null;
}

Deno.test("/operator/hold is no page for an advertiser, who releases nothing either", async () => {
  await using books = await openEmptyBooks();
  const { processor } = books;
  await using site = await openAdvertiserSite({}, { processor });
  await putOnHold(site.services);
  const browser = await site.browser("ada");
  for (
    const answer of [await browser.get(PATH), await browser.post(PATH, "")]
  ) {
    assertEquals(answer.status, 404);
    await answer.body?.cancel();
  }
  assertEquals(await isOnHold(site), true);
});

Deno.test("/operator/hold says that what was decided since the backup has to be done again", async () => {
  await using books = await openEmptyBooks();
  const { processor } = books;
  await using site = await openAdvertiserSite({}, { processor });
  await putOnHold(site.services);
  const browser = await site.browser("operator");
  const html = (await textOf(await browser.get(PATH))).replace(/\s+/g, " ");
  assertStringIncludes(
    html,
    "suspensions, removals, revocations and releases of VAT ids made since " +
      "the backup are done again",
  );
});

Deno.test("/operator/hold says what the hold is, and a click ends it", async () => {
  await using books = await openEmptyBooks();
  const { processor } = books;
  await using site = await openAdvertiserSite({}, { processor });
  await putOnHold(site.services);
  const browser = await site.browser("operator");
  const html = await textOf(await browser.get(PATH));
  assertStringIncludes(html, "charges, refunds, archives and mails nothing");
  assertStringIncludes(html, "Nothing is left for a person.");
  assertStringIncludes(html, "Release the store");
  const money = await textOf(await browser.get("/operator/money"));
  assertStringIncludes(money, `<a href="${PATH}">What to do</a>`);
  const desk = await textOf(await browser.get("/operator/review"));
  assertStringIncludes(desk, `<a href="${PATH}">What to do</a>`);
  const released = await browser.post(PATH, "");
  assertEquals(released.status, 303);
  assertEquals(await isOnHold(site), false);
  assertStringIncludes(await textOf(await browser.get(PATH)), "was released");
  const after = await textOf(await browser.get("/operator/money"));
  assert(!after.includes("What to do"));
});

Deno.test("a release that was kept through another sign-in is asked for again before it is done", async () => {
  await using books = await openEmptyBooks();
  const { processor } = books;
  await using site = await openAdvertiserSite({}, { processor });
  await putOnHold(site.services);
  const browser = await site.browser("operator");
  site.world.clock.advance(FRESH_SIGN_IN_MS + 1);
  const stale = await textOf(await browser.post(PATH, ""), 401);
  assertStringIncludes(stale, `action="${PATH}/again"`);
  await browser.signInAgain();
  const page = await textOf(await browser.post(`${PATH}/again`, ""));
  assertStringIncludes(page, `action="${PATH}"`);
  assertStringIncludes(page, "Release the store");
  assertEquals(await isOnHold(site), true, "it was asked for only");
  assertEquals((await browser.post(PATH, "")).status, 303);
  assertEquals(await isOnHold(site), false);
});

Deno.test("/operator/hold keeps the store on hold until all that a person has to see is ticked", async () => {
  const { simulator, stripe } = await startTestProcessor();
  await using _stopped = { [Symbol.asyncDispose]: () => simulator.stop() };
  const processor = createStripeProcessor(stripe);
  await using site = await openAdvertiserSite({}, { processor });
  await putOnHold(site.services, { backupAtMs: 0 });
  const { id: customer } = await stripe.customers.create({});
  for (const bid_id of ["bid_x", "bid_y"]) {
    const { id = "" } = await stripe.invoices.create({
      customer,
      metadata: { purpose: "spotlight", day: "2026-11-19", bid_id },
    });
    const line = { customer, invoice: id, amount: 900, currency: "eur" };
    await stripe.invoiceItems.create(line);
    await stripe.invoices.finalizeInvoice(id, { auto_advance: false });
  }
  site.world.clock.set(Date.now());
  const browser = await site.browser("operator");
  const html = await textOf(await browser.get(PATH));
  const [first = "", second = ""] = [
    ...html.matchAll(/value="(invoice_open:[^"]+)"/g),
  ]
    .map(([, id]) => id ?? "");
  assert(first !== second && second !== "");
  const one = new URLSearchParams([["acknowledge", first]]);
  const refused = await textOf(await browser.post(PATH, one), 409);
  assertStringIncludes(refused, "still on hold");
  assertEquals([...refused.matchAll(/ checked/g)].length, 1);
  assertEquals(await isOnHold(site), true);
  one.append("acknowledge", second);
  assertEquals((await browser.post(PATH, one)).status, 303);
  assertEquals(await isOnHold(site), false);
});

Deno.test("/operator/hold offers no release of a drill", async () => {
  await using books = await openEmptyBooks();
  const { processor } = books;
  await using site = await openAdvertiserSite({}, { processor });
  await putOnHold(site.services, { kind: "drill" });
  const browser = await site.browser("operator");
  const html = await textOf(await browser.get(PATH));
  assertStringIncludes(html, "never released");
  assert(!html.includes("Release the store"));
  const refused = await browser.post(PATH, "");
  assertEquals(refused.status, 400);
  await refused.body?.cancel();
  assertEquals(await isOnHold(site), true);
});

Deno.test("a page that would lead to the processor says that the store is on hold", async () => {
  await using books = await openEmptyBooks();
  await using site = await openAdvertiserSite();
  const { services } = site;
  Object.assign(
    services,
    gatedPorts(services.store, { ...services, ...books }),
  );
  await putOnHold(services);
  const company = {
    name: "Ada GmbH",
    country: "DE",
    vatId: "DE123456789",
    address: { line1: "Hauptstraße 1", city: "Berlin", postalCode: "10115" },
  };
  const browser = await site.browser("newcomer", { company });
  const answer = await browser.post("/billing/set-up", "");
  assertEquals(answer.status, 503);
  assertStringIncludes(await answer.text(), "restored from a backup");
});

Deno.test("/operator/hold erases again who was erased since the backup, keeps the ids through another sign-in, and releases nothing for what is none", async () => {
  await using books = await openEmptyBooks();
  const { processor } = books;
  await using site = await openAdvertiserSite({}, { processor });
  await site.world.agent("ada");
  await putOnHold(site.services);
  const { store } = site.services;
  const browser = await site.browser("operator");
  const sending = (erased: string) => new URLSearchParams({ erased });
  const wrong = await browser.post(PATH, sending("acc_ada\nada@example.com"));
  const text = await textOf(wrong, 400);
  assertStringIncludes(text, "“ada@example.com” is no id of an account");
  assertFaults(text, ["erased"]);
  assertEquals(await isOnHold(site), true);
  assertEquals(await store.listErasedAccounts({ limit: 9, after: null }), []);
  site.world.clock.advance(FRESH_SIGN_IN_MS + 1);
  const many = Array.from({ length: 200 }, (_, nth) => `acc_gone${nth}`);
  const erased = [...many, "acc_ada"].join("\n");
  const stale = await textOf(await browser.post(PATH, sending(erased)), 401);
  assertStringIncludes(stale, "acc_ada", "nothing is cut off");
  await browser.signInAgain();
  const again = await browser.post(`${PATH}/again`, sending(erased));
  assertStringIncludes(await textOf(again), "acc_ada</textarea>");
  assertEquals((await browser.post(PATH, sending(erased))).status, 303);
  assertEquals(await isOnHold(site), false);
  assertEquals(await store.accounts.find("acc_ada"), null);
});
