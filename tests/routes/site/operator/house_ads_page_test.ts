import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { BUILT_IN_HOUSE_AD } from "../../../../domain/creatives/house_rotation.ts";
import {
  openAdvertiserSite,
  type SignedInBrowser,
} from "../../../support/advertiser_site.ts";
import { actAtDesk } from "../../../support/desk_acts.ts";
import { assertFaults } from "../../../support/form_faults.ts";
import { ledTo } from "../../../support/led_to.ts";

const PATH = "/operator/house-ads";
const DESCRIPTION = "One advertisement a day, chosen by auction.";

async function opened() {
  const site = await openAdvertiserSite();
  const email = "operator@example.com";
  return { site, desk: await site.browser("operator", { email }) };
}

/** The headlines on the page, in their order. */
async function shown(desk: SignedInBrowser): Promise<string[]> {
  const html = await (await desk.get(PATH)).text();
  return [...html.matchAll(/data-preview="headline">([^<]*)</g)]
    .map(([, headline = ""]) => headline);
}

const make = (desk: SignedInBrowser, headline: string) =>
  actAtDesk(desk, `${PATH}/make`, { headline, description: DESCRIPTION });

Deno.test("the page of house ads is there for operators only", async () => {
  const { site } = await opened();
  await using _ = site;
  const eve = await site.browser("eve");
  assertEquals((await eve.get(PATH)).status, 404);
  assertEquals((await site.visitor(PATH)).status, 303);
  for (const act of ["make", "house_1/rest", "house_1/remove"]) {
    assertEquals((await eve.post(`${PATH}/${act}`, "")).status, 404);
  }
});

Deno.test("a house ad is seen as readers will see it before it is added", async () => {
  const { site, desk } = await opened();
  await using _ = site;
  assertEquals(await shown(desk), [BUILT_IN_HOUSE_AD.headline]);
  const typed = { headline: "Yours <tomorrow>", description: DESCRIPTION };
  const asked = await desk.post(`${PATH}/make`, new URLSearchParams(typed));
  const page = await asked.text();
  for (
    const text of [
      "Add the house ad?",
      "House advertisement",
      "Yours &lt;tomorrow&gt;",
      "Put your ad here",
    ]
  ) assertStringIncludes(page, text);
  assertEquals(await site.services.store.listHouseAds({ limit: 9 }), []);
  const answer = await actAtDesk(desk, `${PATH}/make`, typed);
  assertEquals(ledTo(answer), `${PATH}?done=make`);
  assertEquals(await shown(desk), ["Yours &lt;tomorrow&gt;"]);
});

Deno.test("copy of a house ad that is not plain comes back with what is wrong", async () => {
  const { site, desk } = await opened();
  await using _ = site;
  for (
    const [typed, why, ...faulty] of [
      [{ headline: "abc", description: DESCRIPTION }, "at least 4", "headline"],
      [
        { headline: "Left\u202eright", description: "" },
        "direction",
        "headline",
        "description",
      ],
      [
        { headline: "Good enough", description: "short" },
        "at least 10",
        "description",
      ],
    ] as const
  ) {
    const answer = await desk.post(`${PATH}/make`, new URLSearchParams(typed));
    assertEquals(answer.status, 400);
    const page = await answer.text();
    assertStringIncludes(page, why);
    assertStringIncludes(page, `value="${typed.headline}"`);
    assertStringIncludes(page, typed.description);
    assertFaults(page, faulty);
  }
});

Deno.test("house ads are put in order, rest, take turns again and are removed", async () => {
  const { site, desk } = await opened();
  await using _ = site;
  for (const headline of ["First", "Second", "Third"]) {
    await make(desk, headline);
  }
  assertEquals(await shown(desk), ["First", "Second", "Third"]);
  const { store } = site.services;
  const ads = await store.listHouseAds({ limit: 9 });
  const idOf = (headline: string) =>
    ads.find((ad) => ad.headline === headline)?.id ?? "";
  const act = (headline: string, name: string) =>
    actAtDesk(desk, `${PATH}/${idOf(headline)}/${name}`, {});
  await act("Third", "earlier");
  assertEquals(await shown(desk), ["First", "Third", "Second"]);
  await act("First", "later");
  assertEquals(await shown(desk), ["Third", "First", "Second"]);
  const early = await act("First", "remove");
  assertEquals(early.status, 409);
  assertStringIncludes(await early.text(), "let it rest first");
  await act("First", "rest");
  const page = await (await desk.get(PATH)).text();
  assertStringIncludes(page, "<h2>Takes turns, is next</h2>");
  assertStringIncludes(page, "<h2>Rests</h2>");
  await act("First", "wake");
  await act("First", "rest");
  await act("First", "remove");
  assertEquals(await shown(desk), ["Third", "Second"]);
  const gone = await desk.post(`${PATH}/${idOf("First")}/rest`, "");
  assertEquals(gone.status, 404);
});

Deno.test("a form about house ads that is sent twice adds one", async () => {
  const { site, desk } = await opened();
  await using _ = site;
  const typed = { headline: "Only once", description: DESCRIPTION };
  const asked = await desk.post(`${PATH}/make`, new URLSearchParams(typed));
  const [, token = ""] =
    /name="token" value="([\w-]+)"/.exec(await asked.text()) ?? [];
  const meant = new URLSearchParams({ ...typed, confirmed: "yes", token });
  await Promise.all([
    desk.post(`${PATH}/make`, meant),
    desk.post(`${PATH}/make`, meant),
  ]);
  const made = await site.services.store.listHouseAds({ limit: 9 });
  assertEquals(made.length, 1);
  assert(made[0]?.id.startsWith("house_"));
});
