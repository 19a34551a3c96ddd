import { assert, assertEquals } from "@std/assert";
import { reportAd } from "../../../../domain/ad_reports/report_ad.ts";
import { createCreative } from "../../../../domain/creatives/create_creative.ts";
import { submitCreative } from "../../../../domain/creatives/submit_creative.ts";
import { newAccount } from "../../../../domain/accounts/new_account.ts";
import type { Services } from "../../../../domain/ports.ts";
import {
  dayText,
  settle,
  spotlight,
} from "../../../support/public_spotlights.ts";
import { answerOf, assertProblem, openOperatorSite } from "./operator_site.ts";

const MESSAGE = "It is for a party.";
const COPY = {
  headline: "Bread by bicycle",
  description: "Warm loaves at your door before eight, every day.",
  targetUrl: "https://bakery.example/",
};

/** Submits a creative of an account; answers its id. */
async function submit(services: Services, accountId: string): Promise<string> {
  const company = {
    name: `${accountId} GmbH`,
    country: "DE",
    vatId: null,
    address: { line1: "Hauptstraße 1", city: "Berlin", postalCode: "10115" },
  };
  await services.store.transact(async (tx) => {
    if (await tx.accounts.find(accountId) !== null) return;
    const account = newAccount(accountId, `${accountId}@example.com`, 0);
    tx.accounts.save({ ...account, company, identityStatus: "verified" });
  });
  const owner = { accountId, grantId: null, binding: null };
  const made = await createCreative(services, { ...owner, typed: COPY });
  const { ad_id: adId } = JSON.parse(made.answer.body);
  await submitCreative(services, { ...owner, adId });
  return adId;
}

Deno.test("GET reviews lists what is submitted, longest waiting first", async () => {
  await using site = await openOperatorSite();
  const first = await submit(site.services, "acc_b");
  site.world.clock.advance(1_000);
  const second = await submit(site.services, "acc_a");
  const { items } = await answerOf(await site.operate("GET", "reviews"));
  assertEquals(
    items.map((item: Record<string, string>) => [
      item.ad_id,
      item.account,
      item.advertiser,
      item.state,
    ]),
    [
      [first, "acc_b", "acc_b GmbH", "submitted"],
      [second, "acc_a", "acc_a GmbH", "submitted"],
    ],
  );
});

Deno.test("GET reviews lists whatever waits, however much that is", async () => {
  await using site = await openOperatorSite();
  const adIds: string[] = [];
  for (let nth = 0; nth < 51; nth++) {
    if (nth % 10 === 0) site.world.clock.advance(1_000);
    adIds.push(await submit(site.services, `acc_${nth}`));
  }
  const ids = ({ items }: { items: { ad_id: string }[] }) =>
    items.map(({ ad_id }) => ad_id);
  const first = await answerOf(await site.operate("GET", "reviews"));
  const next = `reviews?cursor=${encodeURIComponent(first.next_cursor)}`;
  const second = await answerOf(await site.operate("GET", next));
  assertEquals([first.items.length, second.items.length], [50, 1]);
  assertEquals([...ids(first), ...ids(second)].sort(), adIds.sort());
  assertEquals(second.next_cursor, null);
  await assertProblem(
    await site.operate("GET", "reviews?cursor=x"),
    400,
    "VALIDATION_FAILED",
    "Cannot list the creatives: cursor must be the next_cursor of an answer",
  );
});

Deno.test("POST approve and withdraw_approval decide, and the history says who", async () => {
  await using site = await openOperatorSite();
  const adId = await submit(site.services, "acc_a");
  const approved = await answerOf(
    await site.operate("POST", `creatives/${adId}/approve`),
  );
  assertEquals(approved.state, "approved");
  const withdrawn = await answerOf(
    await site.operate("POST", `creatives/${adId}/withdraw_approval`, {
      body: { policy_id: "political", message: "A party after all." },
    }),
  );
  assertEquals([withdrawn.state, withdrawn.rejection.policy_id], [
    "rejected",
    "political",
  ]);
  const { notes } = await answerOf(
    await site.operate("GET", `creatives/${adId}`),
  );
  assertEquals(
    notes.map(({ event, by }: Record<string, string>) => [event, by]),
    [
      ["created", "advertiser"],
      ["submitted", "advertiser"],
      ["approved", "operator_key"],
      ["approval_withdrawn", "operator_key"],
    ],
  );
});

Deno.test("POST reject takes a published policy, and words that are plain", async () => {
  await using site = await openOperatorSite();
  const adId = await submit(site.services, "acc_a");
  const path = `creatives/${adId}/reject`;
  const cases: [unknown, string][] = [
    [{}, "Cannot reject the creative: policy_id: must be a string"],
    [
      { policy_id: "no_such", message: MESSAGE },
      "Cannot take the copy: policy_id unknown",
    ],
    [
      { policy_id: "political", message: MESSAGE, remedy: "a\u200bb" },
      "Cannot take the copy: remedy zero_width_character",
    ],
    [{ policy_id: "political" }, "Cannot take the copy: message missing"],
  ];
  for (const [body, detail] of cases) {
    const answer = await site.operate("POST", path, { body });
    await assertProblem(answer, 400, "VALIDATION_FAILED", detail);
  }
  const body = { policy_id: "political", message: MESSAGE };
  const rejected = await answerOf(await site.operate("POST", path, { body }));
  assertEquals(rejected.state, "rejected");
  assert(rejected.rejection.remedy.length > 0);
});

Deno.test("decisions answer 404 to unknown creatives, 409 in another state", async () => {
  await using site = await openOperatorSite();
  const adId = await submit(site.services, "acc_a");
  const body = { policy_id: "political", message: MESSAGE };
  const unknown = await site.operate("POST", "creatives/ad_none/approve");
  const missing = 'Cannot find creative "ad_none"';
  await assertProblem(unknown, 404, "NOT_FOUND", missing);
  const early = await site.operate(
    "POST",
    `creatives/${adId}/withdraw_approval`,
    { body },
  );
  await assertProblem(
    early,
    409,
    "CONFLICT",
    `Cannot withdraw the approval of creative "${adId}": it is under review`,
  );
});

Deno.test("GET ad_reports lists what readers report, POST close takes it away", async () => {
  await using site = await openOperatorSite();
  const { services } = site;
  const day = dayText("2026-11-19");
  await settle(services.store, spotlight(day, { adId: "ad_a" }));
  const report = { policyId: "deceptive", text: "It is cold." } as const;
  await reportAd(services, { day, report });
  const { items: [item] } = await answerOf(
    await site.operate("GET", "ad_reports"),
  );
  const { id, reported_at, ...rest } = item;
  assertEquals(rest, {
    day,
    policy_id: "deceptive",
    text: "It is cold.",
    closed_at: null,
    ad_id: "ad_a",
  });
  const path = `ad_reports/${id}/close`;
  const closed = await answerOf(await site.operate("POST", path));
  assertEquals(closed.reported_at, reported_at);
  assert(closed.closed_at !== null);
  assertEquals(await answerOf(await site.operate("POST", path)), closed);
  const { items } = await answerOf(await site.operate("GET", "ad_reports"));
  assertEquals(items, []);
});

Deno.test("GET ad_reports has the first reports of every day, however many one has, and all of one by its day", async () => {
  await using site = await openOperatorSite();
  const { services } = site;
  const days = Array.from(
    { length: 22 },
    (_, nth) => dayText(`2026-11-${String(nth + 1).padStart(2, "0")}`),
  );
  await settle(services.store, ...days.map((day) => spotlight(day)));
  const report = { policyId: "deceptive", text: "It is cold." } as const;
  const flooded = dayText("2026-11-22");
  for (let nth = 0; nth < 60; nth++) {
    await reportAd(services, { day: flooded, report });
  }
  for (const day of days) await reportAd(services, { day, report });
  const list = async (query = "") => {
    const path = `ad_reports${query}`;
    const { items, next_before } = await answerOf(
      await site.operate("GET", path),
    );
    return { of: items.map((each: { day: string }) => each.day), next_before };
  };
  const newest = days.toReversed();
  const [, ...others] = newest.slice(0, 20);
  assertEquals(await list(), {
    of: [...Array(5).fill(flooded), ...others],
    next_before: "2026-11-03",
  });
  assertEquals(await list("?before=2026-11-03"), {
    of: newest.slice(20),
    next_before: null,
  });
  const ofOne = await list(`?day=${flooded}`);
  assertEquals(ofOne, { of: Array(61).fill(flooded), next_before: null });
  await assertProblem(
    await site.operate("GET", "ad_reports?day=yesterday"),
    400,
    "VALIDATION_FAILED",
    "Cannot list the reports: day must be a calendar date written " +
      'YYYY-MM-DD, current value is "yesterday"',
  );
});
