/**
 * What is compared in the search suite: the same records and passages, each
 * engine with the settings that its own manual proposes.
 *
 * @module
 */
import lunr from "lunr";
import MiniSearch from "minisearch";
import { mergeHits } from "../../domain/retrieval/merge_hits.ts";
import type { Passage } from "../../domain/retrieval/search_index.ts";
import { snapshotOf } from "../../domain/spotlights/public_snapshot.ts";
import type { Spotlight } from "../../domain/spotlights/spotlight.ts";
import { LiveSearchIndex } from "../../adapters/search/live_search_index.ts";
import { STOP_WORDS } from "../../adapters/search/query.ts";
import { passageOfCode } from "../../routes/errors/asked_code.ts";
import type { Corpus } from "../adapters/search/support/quality.ts";
import { TEST_BASE_URL } from "../support/public_spotlights.ts";

/** Results of one query, as `/ask` answers at most. */
const LIMIT = 20;

/** Answers days and ids of passages, best first. */
export type Engine = (query: string) => Promise<string[]> | string[];

/** What the peers index of a Spotlight or a passage. */
interface Indexed {
  id: string;
  title: string;
  body: string;
  /** Advertiser, or the page and chapter. */
  by: string;
  day: string;
}

const BOOSTS = { title: 2, by: 1.5, body: 1, day: 2 } as const;

/** The index of this service, both lists merged as `/ask` does. */
export async function ownEngine(corpus: Corpus): Promise<Engine> {
  const log = { info: () => {}, error: () => {}, lastErrorMs: () => null };
  const { passages } = corpus;
  const index = new LiveSearchIndex({ passages, answerTo: passageOfCode, log });
  index.show(snapshotOf(corpus.spotlights, TEST_BASE_URL));
  await index.settled();
  let asked = 0;
  return async (query) => {
    // Another limit each time, so that no answer is one that is remembered.
    const limit = LIMIT + asked++ % 10_000;
    const [spotlights, passages] = await Promise.all([
      index.findSpotlights(query, limit),
      index.findPassages(query, limit),
    ]);
    return mergeHits(
      spotlights.map(({ day, score }) => ({ item: day as string, score })),
      passages.map(({ passage, score }) => ({ item: passage.id, score })),
    ).slice(0, LIMIT);
  };
}

/** MiniSearch: prefixes and slips for longer words, stop words left out. */
export function miniSearchEngine(corpus: Corpus): Engine {
  const index = new MiniSearch<Indexed>({
    fields: Object.keys(BOOSTS),
    processTerm: (term) => {
      const lower = term.toLowerCase();
      return STOP_WORDS.has(lower) ? null : lower;
    },
    searchOptions: {
      boost: BOOSTS,
      prefix: (term) => term.length > 3,
      fuzzy: (term) => term.length > 3 ? 0.2 : false,
    },
  });
  index.addAll(documentsOf(corpus));
  return (query) => index.search(query).slice(0, LIMIT).map(({ id }) => id);
}

/** Lunr: its stemmer and stop words, then prefixes and slips at less weight. */
export function lunrEngine(corpus: Corpus): Engine {
  const index = lunr(function (this: lunr.Builder) {
    this.ref("id");
    for (const [name, boost] of Object.entries(BOOSTS)) {
      this.field(name, { boost });
    }
    documentsOf(corpus).forEach((one) => this.add(one));
  });
  return (query) =>
    index.query((asked: lunr.Query) => {
      const words = lunr.tokenizer(query);
      asked.term(words, { boost: 10 });
      asked.term(words, {
        boost: 2,
        usePipeline: false,
        wildcard: lunr.Query.wildcard.TRAILING,
      });
      asked.term(words, { boost: 1, usePipeline: false, editDistance: 1 });
    }).slice(0, LIMIT).map(({ ref }: { ref: string }) => ref);
}

function documentsOf({ spotlights, passages }: Corpus): Indexed[] {
  return [...spotlights.map(spotlightOf), ...passages.map(passageOf)];
}

function spotlightOf(one: Spotlight): Indexed {
  const { day, headline, description, advertiser } = one;
  return { id: day, title: headline, body: description, by: advertiser, day };
}

function passageOf({ id, heading, chapter, title, text }: Passage): Indexed {
  const by = `${title} ${chapter ?? ""}`;
  return { id, title: heading, body: text, by, day: "" };
}
