import { assert, assertEquals } from "@std/assert";
import { openAdvertiserSite } from "../../../support/advertiser_site.ts";

Deno.test("where a form is sent, whoever comes by its address is led to its page", async () => {
  await using site = await openAdvertiserSite();
  const ada = await site.browser("ada");
  const pages = [
    ["/bids/review", "/bids"],
    ["/bids/place", "/bids"],
    ["/onboarding/vat", "/onboarding"],
    ["/creatives/ad_1/submit", "/creatives/ad_1"],
    ["/agents/grant_1/webhook/replay", "/agents/grant_1/webhook"],
    ["/agents/grant_1/revoke", "/agents/grant_1"],
    ["/settings/email/confirm", "/settings/email"],
    ["/creatives/a%01b/submit", "/creatives/a%01b"],
    ["/creatives/a%2Fb/submit", "/creatives/a%2Fb"],
    ["/agents/%F0%9F%98%80/revoke", "/agents/%F0%9F%98%80"],
  ];
  for (const [sent = "", page] of pages) {
    const answer = await ada.get(sent);
    assertEquals([answer.status, answer.headers.get("location")], [303, page]);
    const signedOut = await site.visitor(sent);
    const to = signedOut.headers.get("location") ?? "";
    assert(to.startsWith("/sign-in"), `${sent} leads to ${to}`);
  }
  const desk = await ada.get("/operator/days/2026-11-20/settle");
  assertEquals(desk.status, 404, "which there is for operators alone");
});

Deno.test("what answers a form asks to be loaded by its address alone; the page of a form does not", async () => {
  await using site = await openAdvertiserSite();
  const ada = await site.browser("ada");
  const loads = async (answer: Promise<Response>) =>
    (await (await answer).text()).includes("/scripts/form_answer.js?v=");
  assertEquals(await loads(ada.get("/bids")), false);
  const sent = new URLSearchParams({ amount: "" });
  assertEquals(await loads(ada.post("/bids/review", sent)), true);
  // Loaded again, the page that holds what was typed sends it once more.
  const kept = site.visitor("/bids/review", {
    method: "POST",
    body: sent,
    headers: { origin: site.services.settings.baseUrl },
  });
  assertEquals(await loads(kept), false);
});
