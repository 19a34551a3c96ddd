/**
 * How well people are answered: queries whose answers were judged by reading,
 * in `judgements.txt`, asked as `/ask` and `search_docs` are asked.
 */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { ask } from "../../../domain/retrieval/ask.ts";
import { passagesOf } from "../../../domain/retrieval/passages.ts";
import { searchDocs } from "../../../domain/retrieval/search_docs.ts";
import type { ResultItem } from "../../../domain/retrieval/result_item.ts";
import type { Spotlight } from "../../../domain/spotlights/spotlight.ts";
import { HUMAN_STEPS } from "../../../domain/pages.ts";
import { passageOfCode } from "../../../routes/errors/asked_code.ts";
import {
  AGENT_CODES,
  ENGINE_CODES,
} from "../../../routes/errors/coded_problem.ts";
import { PROBLEM_TYPES } from "../../../routes/errors/problem_types.ts";
import { TEST_BASE_URL } from "../../support/public_spotlights.ts";
import { demoSpotlights, docsPages } from "./support/demo_corpus.ts";
import { type Judgement, readJudgements } from "./support/judgements.ts";
import { largeSpotlights } from "./support/large_corpus.ts";
import { ndcgAt10 } from "./support/ndcg.ts";
import { Judge, mean } from "./support/quality.ts";
import { SearchWorld } from "./support/search_world.ts";

/** The mean over all judged queries is at least this. */
const NDCG_MIN = 0.9;
/** No group of queries falls behind this. */
const GROUP_NDCG_MIN = 0.75;
/** A document may change some headings before the judgements follow. */
const STALE_MAX = 5;

const JUDGEMENTS = await readJudgements();
const DOCUMENTS = await docsPages();

/** The mean nDCG@10 of the answers by group. */
async function qualityOver(
  spotlights: readonly Spotlight[],
): Promise<Map<string, number>> {
  const passages = passagesOf(DOCUMENTS, TEST_BASE_URL);
  const judge = new Judge({ spotlights, passages });
  await using world = await SearchWorld.open(spotlights, { ...DOCUMENTS });
  const { retrieval } = await world.ready();
  const scores = new Map<Judgement, number>();
  for (const judgement of JUDGEMENTS) {
    const items = await ask(retrieval, judgement.query);
    scores.set(judgement, judge.score(judgement, items.map(nameOf)));
  }
  const groups = Map.groupBy(scores, ([{ group }]) => group);
  const means = [...groups].map(([group, all]) =>
    [group, mean(all.map(([, score]) => score))] as const
  );
  return new Map([...means, ["all", mean([...scores.values()])]]);
}

/** The day or section an answer is, as judgements name them. */
function nameOf({ url, datePublished }: ResultItem): string {
  if (datePublished !== undefined) return datePublished;
  const { pathname, hash } = new URL(url);
  return `${pathname.slice(1)}.md${decodeURIComponent(hash)}`;
}

function report(name: string, quality: ReadonlyMap<string, number>): string {
  const lines = [...quality].map(([group, score]) =>
    `${score.toFixed(3)}  ${group}`
  );
  return [`nDCG@10, ${name}:`, ...lines].join("\n");
}

for (
  const [name, spotlights] of [
    ["the demo's 90 days", demoSpotlights()],
    ["4,000 days", largeSpotlights()],
  ] as const
) {
  Deno.test(`judged queries over ${name} are answered with nDCG@10 of ${NDCG_MIN} or more`, async () => {
    const quality = await qualityOver(spotlights);
    const told = report(name, quality);
    // deno-lint-ignore no-console
    console.log(told);
    assert((quality.get("all") ?? 0) >= NDCG_MIN, told);
    for (const [group, score] of quality) {
      assert(score >= GROUP_NDCG_MIN, `${group}\n${told}`);
    }
  });
}

/** Questions that one section answers, in the words of who has read nothing. */
const ANSWERED_FIRST: Readonly<Record<string, readonly string[]>> = {
  "developers#whether-a-bid-or-a-raise-counted": [
    "ECONNRESET",
    "ETIMEDOUT",
    "network failure",
    "request aborted",
    "kill the process before the reply",
    "timeout while bidding",
    "my bid timed out",
    "my process died before the answer came",
  ],
  "developers#what-it-costs-to-advertise": [
    "how much does it cost",
    "what does it cost to advertise",
    "price of an advertisement",
    "what is the minimum bid",
  ],
  "developers#who-may-advertise": [
    "who may advertise",
    "can a private person advertise",
    "do I have to be in the European Union",
  ],
  "developers#secrecy-who-sees-a-bid": [
    "is my bid visible to others",
    "how many others bid",
    "what was the winning bid",
  ],
  "developers#saved-cards": ["how do I add a card"],
  "auth#what-needs-a-person": [
    "where is the sign-in code in development",
    "the mail with the code did not arrive",
  ],
  "developers#states-of-a-creative": ["how do I edit my ad", "delete an ad"],
  "developers#refunds": ["how do I get a refund", "I want my money back"],
  "developers#place-and-raise-a-bid": [
    "how do I raise my bid",
    "how do I place a bid",
  ],
  "developers#ties-and-raising": [
    "raise with another ad",
    "can I change the ad of my bid",
    "change ad of a bid",
    "use another ad for my bid",
    "swap the ad",
    "replace the creative of my bid",
    "bid with a different ad",
    "does a raise keep my place in a tie",
  ],
  "developers#status-of-a-bid-did-it-win": [
    "why is my bid not confirmed",
    "is my bid confirmed",
    "is my bid accepted",
    "has my bid been received",
    "what does void mean",
    "what does `lost` mean",
    "what does payment_failed mean",
  ],
  "developers#creatives": [
    "how do I make an ad as an agent",
    "how do I create an ad as an agent",
    "how does an agent make an ad",
    "create an advertisement by the API",
    "write an ad with an agent",
  ],
  "developers#events": ["when do I hear that I won", "am I told when I win"],
  "developers#opening-and-closing-time": [
    "can I bid for tomorrow today",
    "can I bid on a later day",
    "bid in advance",
  ],
  "auth#two-agents-in-one-account": ["two agents, whose mandate"],
  "hosts#exit-codes-of-the-spotlight-command": [
    "exit code 5 of the spotlight command",
    "what does exit code 3 mean",
  ],
  "developers#cancel-a-bid": [
    "how do I cancel my bid",
    "can I take back my bid",
  ],
  "developers#a-bid-that-is-not-in-the-list-yet": [
    "my bid is not in the list",
    "my bid is missing from the list",
  ],
  "developers#buy-click-figures-over-http-402": [
    "where do I get a payment token",
  ],
  "developers#billing-address": ["invoice address"],
  "developers#stop-an-agent": ["how do I stop an agent", "disconnect my agent"],
  "auth#when-a-cap-is-reached": ["my agent's daily cap is reached"],
  "developers#vat-ids-in-development": ["which VAT id passes in development"],
  "developers#which-client-to-take": ["should I take MCP or the command line"],
  "developers#how-to-start-advertising": [
    "how do I start advertising",
    "how do I sign up",
    "can an agent sign up for me",
    "what do I need to open an account",
    "how do I register my company",
    "how do I verify my identity",
  ],
  "developers#when-you-pay-and-if-you-lose": [
    "do I pay if I lose",
    "when is my card charged",
  ],
  "developers#when-an-ad-is-shown-and-how-long": [
    "how long is my ad shown",
    "when is my ad shown",
  ],
  "developers#how-long-a-review-takes": [
    "how long does the review of an ad take",
    "how do I get my ad approved",
    "who approves ads",
    "approve an ad in development",
  ],
  "developers#members-of-a-creative": [
    "can my ad have an image",
    "how long may a headline be",
    "which link may an ad have",
    "what URL can my ad have",
  ],
  "developers#reports-of-won-days": ["how many clicks did my ad get"],
  "developers#when-an-ad-was-rejected": [
    "my ad was rejected, what now",
    "how do I see what a rejected ad did wrong and mend it",
    "why was my creative rejected",
  ],
  "developers#close-and-settle-a-day-in-development": [
    "settle the day now in development",
    "how does the operator close the auction early in development",
  ],
  "auth#tokens-for-one-resource": [
    "access token 401 invalid_token at checkout although it works for the tool server",
  ],
};

Deno.test("plain questions are answered first by the section that says it, at /ask and by search_docs", async () => {
  await using world = await SearchWorld.open(demoSpotlights(), {
    ...DOCUMENTS,
  });
  const { retrieval } = await world.ready();
  for (const [section, queries] of Object.entries(ANSWERED_FIRST)) {
    for (const query of queries) {
      const [found] = await ask(retrieval, query);
      const [passage] = await searchDocs(retrieval, { query, limit: 1 });
      const answers = [found?.url, passage?.url].map((url) =>
        url?.slice(TEST_BASE_URL.length + 1)
      );
      assertEquals([query, ...answers], [query, section, section]);
    }
  }
});

const PROBLEMS = Object.entries(PROBLEM_TYPES);
const CODES = Object.entries({ ...AGENT_CODES, ...ENGINE_CODES });

/** Every code and title of a problem, as they are asked, by their section. */
const ASKED_CODES: readonly (readonly [asked: string, section: string])[] = [
  ...PROBLEMS.flatMap(([slug, { title, section }]) =>
    [
      slug,
      title,
      slug.replace(/^agent-|^/, "agent."),
      slug.replace(/^agent-/, ""),
      slug.replaceAll("-", "_"),
      `${TEST_BASE_URL}/problems/${slug}`,
      `what does the error ${slug} mean?`,
    ].map((asked) => [asked, section] as const)
  ),
  ...CODES.flatMap(([code, { slug, status }]) =>
    [code, `${status} ${code}`, `${code} error`].map((asked) =>
      [asked, PROBLEM_TYPES[slug].section] as const
    )
  ),
  ...HUMAN_STEPS.map((step) =>
    [step, "reasons-an-account-may-not-bid"] as const
  ),
];

Deno.test("a code or title of a problem, asked alone, is answered first by the section that its docs names", async () => {
  await using world = await SearchWorld.open(demoSpotlights(), {
    ...DOCUMENTS,
  });
  const { retrieval } = await world.ready();
  for (const [query, section] of ASKED_CODES) {
    const url = `${TEST_BASE_URL}/developers#${section}`;
    const [found, ...others] = await ask(retrieval, query);
    const [passage] = await searchDocs(retrieval, { query, limit: 1 });
    assertEquals([query, found?.url, passage?.url], [query, url, url]);
    assertEquals(passage?.score, 1);
    assert(others.every((other) => other.url !== url), query);
  }
});

Deno.test("of the section of a code that passage comes first which tells of it", async () => {
  await using world = await SearchWorld.open([], { ...DOCUMENTS });
  const { retrieval } = await world.ready();
  const query = "agent.mandate-expired";
  const [passage] = await searchDocs(retrieval, { query, limit: 1 });
  assertStringIncludes(passage?.text ?? "", `| \`${query}\` |`);
});

Deno.test("a question that only holds the words of a code is searched for", () => {
  for (
    const query of [
      "what is forbidden",
      "which error comes first, auction-closed or bid-not-higher",
      "a place where my bid is not higher",
      "",
      `conflict${" ".repeat(80)}`,
    ]
  ) {
    assertEquals(passageOfCode(query), null, query);
  }
});

Deno.test("no section is answered twice, and as many are as are asked for", async () => {
  await using world = await SearchWorld.open(demoSpotlights(), {
    ...DOCUMENTS,
  });
  const { retrieval } = await world.ready();
  const { index } = retrieval;
  let repeats = 0;
  for (const { query } of JUDGEMENTS) {
    const urls = (await ask(retrieval, query)).map(({ url }) => url);
    assertEquals(urls, [...new Set(urls)], query);
    const found = await searchDocs(retrieval, { query, limit: 10 });
    const sections = found.map(({ url }) => url);
    assertEquals(sections, [...new Set(sections)], query);
    const all = await index.findPassages(query, 1_000);
    const there = new Set(all.map(({ passage }) => passage.url));
    assertEquals(sections.length, Math.min(10, there.size), query);
    if (all.length > there.size) repeats++;
  }
  assert(repeats > 50, "sections of several passages are among the answers");
});

Deno.test("judgements are many, of every kind, and of what there is", () => {
  const groups = Map.groupBy(JUDGEMENTS, ({ group }) => group);
  assert(JUDGEMENTS.length >= 90, `${JUDGEMENTS.length} queries`);
  assert(groups.size >= 10, [...groups.keys()].join());
  const queries = JUDGEMENTS.map(({ query }) => query);
  assertEquals(new Set(queries).size, queries.length);
  const stale = new Judge({
    spotlights: demoSpotlights(),
    passages: passagesOf(DOCUMENTS, TEST_BASE_URL),
  }).strangeKeys(JUDGEMENTS);
  assert(stale.length <= STALE_MAX, `Not there any more: ${stale.join(", ")}`);
});

Deno.test("nDCG@10 is 1 for the best order and less for any other", () => {
  assertEquals(ndcgAt10([3, 2, 1], [0, 1, 2, 3]), 1);
  assert(ndcgAt10([2, 3, 1], [0, 1, 2, 3]) < 1);
  assertEquals(ndcgAt10([], [3]), 0);
  assertEquals(ndcgAt10([], [0, 0]), 1);
  assertEquals(ndcgAt10([0], [0, 0]), 0);
  assertEquals(ndcgAt10([...Array(10).fill(0), 3], [3]), 0);
});
