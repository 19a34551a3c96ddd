import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { actAs, type ActOrder } from "../../../../domain/audit/act_as.ts";
import {
  type AdvertiserSite,
  openAdvertiserSite,
} from "../../../support/advertiser_site.ts";

const PATH = "/operator/audit";

/** Writes lines, a minute apart, and answers the operator's browser. */
async function openAudit(site: AdvertiserSite, count: number) {
  const { services, world } = site;
  for (let nth = 0; nth < count; nth++) {
    const order: ActOrder = {
      by: nth % 2 === 0
        ? { kind: "key", name: "night <shift>" }
        : { kind: "account", accountId: "acc_o", email: "o@example.com" },
      act: nth % 2 === 0 ? "auction.open" : "account.suspend",
      subject: nth % 2 === 0 ? "2026-11-20" : "acc_eve",
      reason: nth % 2 === 0 ? null : `=Reason ${nth}`,
    };
    await actAs(services, order, ({ store }) =>
      store.transact((tx) => {
        tx.jobRuns.save({ name: "a", lastSuccessMs: nth });
        tx.noteChange({ before: { phase: "IDLE" }, after: { phase: "OPEN" } });
      }));
    world.clock.advance(60_000);
  }
  return await site.browser("operator");
}

Deno.test("/operator/audit is no page for an advertiser, and asks a visitor to sign in", async () => {
  await using site = await openAdvertiserSite();
  for (const path of [PATH, `${PATH}/csv`]) {
    const ada = await site.browser("ada");
    assertEquals((await ada.get(path)).status, 404);
    assertEquals((await site.visitor(path)).status, 303);
  }
});

Deno.test("/operator/audit shows who did what to what, when, why and what changed", async () => {
  await using site = await openAdvertiserSite();
  const desk = await openAudit(site, 2);
  const html = await (await desk.get(PATH)).text();
  for (
    const text of [
      "Opened the auction",
      "Suspended the account",
      "<code>acc_eve</code>",
      "night &lt;shift&gt;",
      "o@example.com",
      "=Reason 1",
      "phase: IDLE → OPEN",
      "only when an account is erased, those about it lose their",
    ]
  ) assertStringIncludes(html, text);
  assert(html.indexOf("Suspended") < html.indexOf("Opened"), "newest first");
});

Deno.test("/operator/audit is read page after page, and filtered", async () => {
  await using site = await openAdvertiserSite();
  const desk = await openAudit(site, 120);
  const read = async (path: string) => await (await desk.get(path)).text();
  const seen: string[] = [];
  let next = `${PATH}?subject=acc_eve`;
  for (let page = 0; page < 3 && next !== ""; page++) {
    const html = await read(next);
    seen.push(...html.matchAll(/=Reason (\d+)/g).map(([, nth = ""]) => nth));
    assert(!html.includes("Opened the auction"));
    next = (/href="([^"]+)" rel="next"/.exec(html)?.[1] ?? "")
      .replaceAll("&amp;", "&");
  }
  assertEquals(next, "");
  const odd = Array.from({ length: 60 }, (_, nth) => String(119 - 2 * nth));
  assertEquals(seen, odd);
  const nobody = await read(`${PATH}?person=nobody`);
  assertStringIncludes(nobody, "Nothing like that was done.");
  const past = await read(`${PATH}?to=2026-11-01`);
  assertStringIncludes(past, "Nothing like that was done.");
});

Deno.test("/operator/audit takes any address without a fault", async () => {
  await using site = await openAdvertiserSite();
  const desk = await openAudit(site, 1);
  for (
    const query of [
      "before=x",
      `before=${"9".repeat(400)}-act_1`,
      "from=2026-02-30&to=never",
      "from=2026-11-21&to=2026-11-01",
      `subject=${"%F0%9F%92%A1".repeat(600)}`,
      "subject=%EF%BF%BD%00&person=%20",
    ]
  ) assertEquals((await desk.get(`${PATH}?${query}`)).status, 200, query);
});

Deno.test("/operator/audit/csv has every line of the filter, and no formula", async () => {
  await using site = await openAdvertiserSite();
  const desk = await openAudit(site, 120);
  const answer = await desk.get(`${PATH}/csv?person=o@example.com`);
  assertEquals(
    answer.headers.get("content-type"),
    "text/csv; charset=utf-8; header=present",
  );
  const lines = (await answer.text()).trimEnd().split("\r\n");
  assertEquals(lines.length, 61);
  assertEquals(lines[0], "at,who,act,subject,reason,before,after");
  assertStringIncludes(
    lines[1] ?? "",
    `o@example.com,account.suspend,acc_eve,'=Reason 119,"{""phase"":""IDLE""}"`,
  );
});

Deno.test("a key that is called by an operator's address is not taken for that operator: the audit says that it is a key, and whose", async () => {
  await using site = await openAdvertiserSite();
  const desk = await openAudit(site, 2);
  const name = "o@example.com";
  const by = { kind: "key", name, madeBy: "acc_mallory" } as const;
  const order: ActOrder = { by, act: "auction.close", subject: "2026-11-20" };
  await actAs(site.services, order, () => Promise.resolve());
  const file = await (await desk.get(`${PATH}/csv`)).text();
  const whoOf = (act: string) =>
    file.split("\r\n").find((line) => line.includes(act))?.split(",")[1];
  assertEquals(
    whoOf("auction.close"),
    "the key of acc_mallory called o@example.com",
  );
  assertEquals(whoOf("account.suspend"), "o@example.com");
  assertEquals(
    whoOf("auction.open"),
    "the key of the configuration called night <shift>",
  );
  const html = await (await desk.get(`${PATH}?person=${name}`)).text();
  assertStringIncludes(
    html.replaceAll(/<[^>]+>/g, ""),
    "by the key o@example.com of acc_mallory",
  );
});
