import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { assertFaults } from "../../../support/form_faults.ts";
import { rejectCreative } from "../../../../domain/creatives/review_creative.ts";
import {
  type AdvertiserSite,
  openAdvertiserSite,
  type SignedInBrowser,
} from "../../../support/advertiser_site.ts";
import { actAtDesk } from "../../../support/desk_acts.ts";
import type { Agent } from "../../../support/bidding_world.ts";
import {
  adIdOf,
  notesOf,
  submitted,
  verbsOf,
} from "../../../domain/creatives/creative_world.ts";
import { leadOf, ledTo } from "../../../support/led_to.ts";

const DESK = "/operator/review";

function operator(site: AdvertiserSite): Promise<SignedInBrowser> {
  return site.browser("operator", { email: "operator@example.com" });
}

async function opened(): Promise<
  { site: AdvertiserSite; desk: SignedInBrowser; ada: Agent; adId: string }
> {
  const site = await openAdvertiserSite();
  const ada = await site.world.agent("ada");
  const adId = await submitted(site.services, ada);
  return { site, desk: await operator(site), ada, adId };
}

async function textOf(answer: Response, status = 200): Promise<string> {
  assertEquals(answer.status, status);
  return await answer.text();
}

const fields = (changes: Record<string, string>) =>
  new URLSearchParams({ policy_id: "", message: "", remedy: "", ...changes });

Deno.test("the desk is there for operators only", async () => {
  const { site, adId } = await opened();
  await using _ = site;
  const eve = await site.browser("eve");
  const paths = [DESK, `${DESK}/${adId}`];
  for (const path of paths) {
    assertEquals((await eve.get(path)).status, 404);
    assertEquals((await site.visitor(path)).status, 303);
  }
  for (const verb of ["approve", "reject", "withdraw"]) {
    const form = fields({ policy_id: "political" });
    const answer = await eve.post(`${DESK}/${adId}/${verb}`, form);
    assertEquals(answer.status, 404);
  }
  const found = await site.services.store.creatives.find("acc_ada", adId);
  assertEquals(found?.state, "submitted");
});

Deno.test("an operator sees a creative as readers will, and approves it", async () => {
  const { site, desk, adId } = await opened();
  await using _ = site;
  assertStringIncludes(await textOf(await desk.get(DESK)), "Bread by bicycle");
  const page = await textOf(await desk.get(`${DESK}/${adId}`));
  for (
    const text of [
      "Paid advertisement",
      "Bread by bicycle",
      "<bdi>ada GmbH</bdi>",
      "https://bakery.example/",
      "by an agent of the advertiser",
    ]
  ) assertStringIncludes(page, text);
  const answer = await actAtDesk(desk, `${DESK}/${adId}/approve`, {});
  assertEquals(ledTo(answer), `${DESK}?done=approved`);
  const after = await textOf(await desk.get(leadOf(answer)));
  assertStringIncludes(after, "Nothing waits to be reviewed");
  const [, , note] = await notesOf(site.world, adId);
  assertEquals(note?.by, { kind: "operator", accountId: "acc_operator" });
});

Deno.test("a rejection names a policy; the form comes back until it does", async () => {
  const { site, desk, adId } = await opened();
  await using _ = site;
  const wrong = fields({
    message: "Cold\u202e <loaves>",
    remedy: "Warm them.",
  });
  const page = await textOf(
    await desk.post(`${DESK}/${adId}/reject`, wrong),
    400,
  );
  for (
    const text of [
      "Choose one of the published policies.",
      "change the direction",
      "&lt;loaves&gt;",
      "Warm them.",
    ]
  ) assertStringIncludes(page, text);
  assertFaults(page, ["policy_id", "message"]);
  const silent = fields({ policy_id: "deceptive", remedy: "Warm them." });
  const asked = await desk.post(`${DESK}/${adId}/reject`, silent);
  assertStringIncludes(await textOf(asked, 400), "Write 10 to 500 characters");
  const right = {
    policy_id: "deceptive",
    message: "The loaves are cold.",
    remedy: "Warm them.",
  };
  const answer = await actAtDesk(desk, `${DESK}/${adId}/reject`, right);
  assertEquals(ledTo(answer), `${DESK}?done=rejected`);
  const found = await site.services.store.creatives.find("acc_ada", adId);
  assertEquals(found?.rejection?.remedy, "Warm them.");
});

Deno.test("an approval is withdrawn at the desk", async () => {
  const { site, desk, ada } = await opened();
  await using _ = site;
  const own = `${DESK}/${ada.adId}`;
  assertStringIncludes(
    await textOf(await desk.get(own)),
    "Withdraw the approval",
  );
  const message = "It uses another’s mark.";
  const form = { policy_id: "impersonation", message };
  await actAtDesk(desk, `${own}/withdraw`, form);
  const page = await textOf(await desk.get(own));
  assertStringIncludes(page, "Not approved.");
  assertStringIncludes(page, "(impersonation)");
});

Deno.test("an operator is told when a creative was decided or archived meanwhile", async () => {
  const { site, desk, ada, adId } = await opened();
  await using _ = site;
  await verbsOf(site.services, ada).archive(adId);
  const page = await textOf(
    await actAtDesk(desk, `${DESK}/${adId}/approve`, {}),
    409,
  );
  assertStringIncludes(page, "is archived by now");
});

Deno.test("a decision at the desk is asked once, says what will happen, and leads on to the next ad", async () => {
  const { site, desk, ada, adId } = await opened();
  await using _ = site;
  const second = await submitted(site.services, ada);
  const page = await textOf(await desk.get(`${DESK}/${adId}`));
  assertStringIncludes(page, `href="${DESK}/${second}" rel="next"`);
  const asked = await textOf(
    await desk.post(`${DESK}/${adId}/approve`, fields({})),
  );
  assertStringIncludes(asked, "Approve the ad?");
  assertStringIncludes(asked, "frozen into it");
  const found = await site.services.store.creatives.find("acc_ada", adId);
  assertEquals(found?.state, "submitted", "asking changes nothing");
  const answer = await actAtDesk(desk, `${DESK}/${adId}/approve`, {});
  assertEquals(ledTo(answer), `${DESK}/${second}?done=approved`);
  const onward = await textOf(await desk.get(leadOf(answer)));
  assertStringIncludes(onward, "It was approved");
  assertStringIncludes(onward, `href="${DESK}/${adId}" dir="auto"`);
});

Deno.test("an ad is reviewed beside what was decided about its advertiser before", async () => {
  const { site, desk, ada, adId } = await opened();
  await using _ = site;
  const by = { kind: "operator_key" } as const;
  const message = "No <oven> is shown.";
  const typed = { policyId: "deceptive", message, remedy: "" };
  await rejectCreative(site.services, { adId, by, typed });
  const second = await submitted(site.services, ada);
  const page = await textOf(await desk.get(`${DESK}/${second}`));
  const [, earlier = ""] = page.split("Decided before");
  for (
    const text of [
      `href="${DESK}/${adId}"`,
      "Not approved",
      "Deceptive copy",
      "No &lt;oven&gt; is shown.",
    ]
  ) assertStringIncludes(earlier, text);
  const bob = await site.world.agent("bob");
  const others = await submitted(site.services, bob);
  const first = await textOf(await desk.get(`${DESK}/${others}`));
  assertStringIncludes(first, "Nothing of this advertiser was decided before.");
});

Deno.test("the address of an ad is opened in a new tab, without our referrer", async () => {
  const { site, desk, adId } = await opened();
  await using _ = site;
  const page = await textOf(await desk.get(`${DESK}/${adId}`));
  assertStringIncludes(
    page,
    '<a href="https://bakery.example/" target="_blank" ' +
      'rel="nofollow noopener noreferrer">',
  );
});

Deno.test("decisions come from our own pages only", async () => {
  const { site, desk, adId } = await opened();
  await using _ = site;
  for (const origin of [null, "https://evil.example"]) {
    const path = `${DESK}/${adId}/approve`;
    const answer = await desk.post(path, fields({}), { origin });
    assertEquals(answer.status, 403);
  }
  const page = await textOf(await desk.get("/operator/review/ad_none"), 404);
  assert(page.includes("no such advertisement"));
});

Deno.test("an approval of a name that the page did not show is refused, and shown again", async () => {
  const { site, desk, adId } = await opened();
  await using _ = site;
  const path = `${DESK}/${adId}`;
  const page = await textOf(await desk.get(path));
  assertStringIncludes(page, 'name="advertiser" value="ada GmbH"');
  const other = { advertiser: "Ada AG" };
  const approve = `${path}/approve`;
  const again = await textOf(await actAtDesk(desk, approve, other), 409);
  assertStringIncludes(again, "the advertiser has another name by now");
  assertStringIncludes(again, 'name="advertiser" value="ada GmbH"');
  await actAtDesk(desk, approve, { advertiser: "ada GmbH" });
  const found = await site.services.store.creatives.find("acc_ada", adId);
  assertEquals(found?.advertiser?.name, "ada GmbH");
});

Deno.test("the desk says of a new version what it is a version of, and why that was turned down", async () => {
  const { site, desk, ada, adId } = await opened();
  await using _ = site;
  const typed = {
    policyId: "deceptive",
    message: "No <oven> is shown.",
    remedy: "",
  };
  const by = { kind: "operator_key" } as const;
  await rejectCreative(site.services, { adId, by, typed });
  const verbs = verbsOf(site.services, ada);
  const next = adIdOf(await verbs.update(adId, { headline: "Warm bread" }));
  await verbs.submit(next);
  assertStringIncludes(await textOf(await desk.get(DESK)), ", a new version");
  const page = await textOf(await desk.get(`${DESK}/${next}`));
  for (
    const text of [
      "Version of",
      `href="${DESK}/${adId}"`,
      "rejected for Deceptive copy:",
      "No &lt;oven&gt; is shown.",
    ]
  ) assertStringIncludes(page, text);
  const first = await textOf(await desk.get(`${DESK}/${adId}`));
  assert(!first.includes("Version of"));
  const ofApproved = adIdOf(
    await verbs.update(ada.adId, { headline: "Warmer bread" }),
  );
  assertStringIncludes(
    await textOf(await desk.get(`${DESK}/${ofApproved}`)),
    "</code></a>: Approved",
  );
});
