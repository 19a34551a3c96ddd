import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  spotlightDocument,
  SPOTLIGHTS,
} from "../../../adapters/search/contents.ts";
import { expandQuery } from "../../../adapters/search/expand_query.ts";
import { parseQuery } from "../../../adapters/search/query.ts";
import { weighTerms } from "../../../adapters/search/rarity.ts";
import {
  type TextHit,
  TextIndex,
} from "../../../adapters/search/text_index.ts";
import { toPublicRecord } from "../../../domain/spotlights/public_record.ts";
import type { Spotlight } from "../../../domain/spotlights/spotlight.ts";
import { settledDays, TEST_BASE_URL } from "../../support/public_spotlights.ts";

const WORDS = [
  ..."lamp lamps light bike bikes bicycle tram café opera night Łódź".split(
    " ",
  ),
  ..."constructor __proto__ toString 日本語 ελιά 2,500 a the of".split(" "),
];
const text = fc.array(fc.constantFrom(...WORDS), { maxLength: 8 })
  .map((words) => words.join(" "));
const QUERIES = ["lamp", "bike tram at night", "lodz", "constructor", "日本"];

/** Days with any words on them, oldest first. */
const spotlights = fc.array(fc.tuple(text, text, text), {
  minLength: 1,
  maxLength: 25,
}).map((texts) =>
  settledDays(texts.length).map((one, at) => {
    const [headline = "", description = "", advertiser = ""] = texts[at] ?? [];
    return { ...one, headline, description, advertiser };
  })
);

function documentOf(one: Spotlight) {
  return spotlightDocument(toPublicRecord(one, TEST_BASE_URL));
}

function indexOf(all: readonly Spotlight[]): TextIndex {
  const index = new TextIndex(SPOTLIGHTS);
  all.forEach((one) => index.put(documentOf(one)));
  return index;
}

function find(index: TextIndex, query: string, limit = 100): TextHit[] {
  const { searched } = index;
  const terms = expandQuery(parseQuery(query), searched.trees);
  return index.find(weighTerms(terms, [searched]), limit);
}

function findAll(index: TextIndex): TextHit[][] {
  return QUERIES.map((query) => find(index, query));
}

Deno.test("TextIndex answers alike in whatever order it was filled", () => {
  const orders = spotlights.chain((all) =>
    fc.tuple(
      fc.constant(all),
      fc.shuffledSubarray(all, { minLength: all.length }),
    )
  );
  fc.assert(fc.property(orders, ([all, shuffled]) => {
    assertEquals(findAll(indexOf(shuffled)), findAll(indexOf(all)));
  }));
});

Deno.test("TextIndex answers after removals as if filled afresh", () => {
  const some = spotlights.chain((all) =>
    fc.tuple(fc.constant(all), fc.subarray(all), fc.subarray(all))
  );
  fc.assert(fc.property(some, ([all, gone, changed]) => {
    const index = indexOf(all);
    gone.forEach(({ day }) => index.drop(day));
    changed.forEach((one) => index.put(documentOf(one)));
    const left = all.filter((one) =>
      !gone.includes(one) || changed.includes(one)
    );
    assertEquals(index.searched.documentCount, left.length);
    assertEquals(findAll(index), findAll(indexOf(left)));
  }));
});

Deno.test("TextIndex puts hits in a total order, and cuts it at the limit", () => {
  fc.assert(fc.property(spotlights, (all) => {
    const index = indexOf(all);
    for (const hits of findAll(index)) {
      for (const [at, { id, score }] of hits.entries()) {
        const next = hits[at + 1];
        assert(score > 0 && score <= 1);
        assertEquals(score, Math.round(score * 1e6) / 1e6);
        if (next === undefined) continue;
        assert(score > next.score || (score === next.score && id > next.id));
      }
    }
    assertEquals(find(index, "lamp", 3), find(index, "lamp").slice(0, 3));
  }));
});

Deno.test("TextIndex finds the word itself before its synonyms and slips", () => {
  const [first, second, third, ...others] = settledDays(12);
  assert(first && second && third);
  const index = indexOf([
    ...others,
    { ...first, headline: "A bicycle" },
    { ...second, headline: "A bike" },
    { ...third, headline: "A lamp" },
  ]);
  const idsOf = (query: string) => find(index, query).map(({ id }) => id);
  assertEquals(idsOf("bicycle"), [first.day, second.day]);
  assertEquals(idsOf("bike"), [second.day, first.day]);
  assertEquals(idsOf("bycicles"), [first.day, second.day]);
  assertEquals(idsOf("fahrrat"), [second.day, first.day]);
  assertEquals(idsOf("lampp"), [third.day]);
  assertEquals(idsOf("lam"), [third.day]);
  assertEquals(idsOf("bikelamp").toSorted(), [second.day, third.day]);
});

Deno.test("TextIndex forgives a slip that changes what a stemmer cuts off", () => {
  const [first, second, third, ...others] = settledDays(12);
  assert(first && second && third);
  const index = indexOf([
    ...others,
    { ...first, headline: "A bike at half the price" },
    { ...second, headline: "We cycle" },
    { ...third, headline: "A glazed bowl" },
  ]);
  const idsOf = (query: string) => find(index, query).map(({ id }) => id);
  assertEquals(idsOf("pirce"), [first.day]);
  assertEquals(idsOf("ccyle").slice(0, 1), [second.day]);
  assertEquals(idsOf("galzed"), [third.day]);
  assertEquals(idsOf("biike").slice(0, 1), [first.day]);
});

Deno.test("TextIndex takes what answers less than a twentieth of a query for no hit", () => {
  const [day, ...others] = settledDays(12);
  assert(day);
  const index = indexOf([...others, { ...day, headline: "A lamp" }]);
  const lampAndUnknown = (count: number) => {
    const unknown = Array.from({ length: count }, (_, at) => `qqzzxv${at}`);
    return `lamp ${unknown.join(" ")}`;
  };
  assertEquals(find(index, lampAndUnknown(5)).map(({ id }) => id), [day.day]);
  assertEquals(find(index, lampAndUnknown(20)), []);
});

Deno.test("TextIndex finds nothing for words that nothing is near to", () => {
  assertEquals(find(indexOf(settledDays(5)), "qqzzxv wwwwwwwwww"), []);
});

Deno.test("TextIndex.drop() of what is not there does nothing", () => {
  const index = indexOf(settledDays(2));
  index.drop("1999-01-01");
  assertEquals(index.searched.documentCount, 2);
});
