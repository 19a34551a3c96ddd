import { assert, assertEquals } from "@std/assert";
import { seen } from "../support/captured_logs.ts";
import { type ChildService, shareService } from "../support/processes.ts";
import { settle, settledDays } from "../support/public_spotlights.ts";
import { runService } from "../support/running_service.ts";

const OPERATOR_KEY = "operator-key-of-the-two-search-processes";
const QUERY = "blue lanterns";

/** The answer to the query, without the address of who answered. */
async function asked({ baseUrl }: ChildService): Promise<string> {
  const url = `${baseUrl}/ask?query=${encodeURIComponent(QUERY)}`;
  for (;;) {
    const answer = await seen.fetch(url);
    const text = await answer.text();
    if (answer.status === 200) return text.replaceAll(baseUrl, "{base_url}");
    assertEquals(answer.status, 503, "the index is being built");
  }
}

Deno.test("a day that another process removed is in no answer of /ask from then on", async () => {
  await using shared = await shareService();
  const days = settledDays(3).map((one) => ({
    ...one,
    headline: "Blue lanterns",
    accountId: null,
    adId: null,
    contentType: "house_advertisement" as const,
  }));
  await shared.withStore(({ store }) => settle(store, ...days));
  const env = { OPERATOR_KEY };
  const one = await shared.start({ env });
  const two = await shared.start({ env });
  const before = await asked(one);
  assertEquals(await asked(two), before, "two isolates, the same bytes");
  assertEquals(JSON.parse(before).results.length, 3);

  const [removed, ...left] = days.toReversed();
  assert(removed !== undefined);
  const answer = await seen.fetch(
    `${two.baseUrl}/operator/v1/spotlights/${removed.day}/remove`,
    {
      method: "POST",
      headers: {
        authorization: `Bearer ${OPERATOR_KEY}`,
        "content-type": "application/json",
      },
      body: JSON.stringify({ reason: "court order" }),
    },
  );
  assertEquals(answer.status, 200, await answer.text());
  const after = await asked(one);
  const shown = JSON.parse(after).results
    .map((item: { datePublished: string }) => item.datePublished);
  assertEquals(shown, left.map(({ day }) => day));

  await one.stop();
  assertEquals(await asked(await shared.start({ env })), after, "restarted");
});

Deno.test("/readyz names the search index, which is built after the start", async () => {
  await using running = await runService();
  const { baseUrl } = running.config.settings;
  for (;;) {
    const answer = await fetch(`${baseUrl}/readyz`);
    const { checks } = await answer.json();
    if (checks.search.ok) break;
    assertEquals(answer.status, 503);
    assertEquals(
      checks.search.detail,
      "The search index has not been built yet",
    );
  }
  const found = await running.service.core.retrieval.index
    .findPassages("scopes", 5);
  assert(found.length > 0);
});
