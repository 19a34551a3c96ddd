import { nextTurn } from "../time/system_time.ts";
import type { Log } from "../../domain/ports.ts";
import {
  IndexNotReady,
  type Passage,
  type PassageHit,
  type SearchIndex,
  type SpotlightHit,
} from "../../domain/retrieval/search_index.ts";
import { invariant } from "../../domain/invariant.ts";
import {
  EMPTY_SNAPSHOT,
  type PublicSnapshot,
} from "../../domain/spotlights/public_snapshot.ts";
import {
  passageDocument,
  passageOptions,
  spotlightDocument,
  SPOTLIGHTS,
} from "./contents.ts";
import { BoundedMap } from "./bounded_map.ts";
import { expandQuery } from "./expand_query.ts";
import { parseQuery } from "./query.ts";
import { type WeighedTerm, weighTerms } from "./rarity.ts";
import { TextIndex } from "./text_index.ts";
import type { Day } from "../../domain/day.ts";
import type { PublicRecord } from "../../domain/spotlights/public_record.ts";

/** Where more days have changed, a new index is made beside the one in use. */
export const CHANGES_MAX = 50;

/**
 * Queries whose hits are remembered, of each kind: a search costs ten times as
 * much as the rest of an answer. A hit is a day and a number, so that all of
 * them are a few MB.
 */
const REMEMBERED_MAX = 1_000;

/**
 * Hits among which the best of a section that answers is looked for: as many as
 * `/ask` wants, so that it costs no more.
 */
const ANSWER_AMONG = 60;

/** What the index is made with. */
export interface LiveSearchIndexOptions {
  readonly passages: readonly Passage[];
  /** The passage that begins what answers the whole of a query, if one does. */
  readonly answerTo: (query: string) => string | null;
  readonly log: Log;
  /** Lets others have their turn while much is indexed. */
  readonly pause?: () => Promise<void>;
}

/** Both indexes at one moment. */
interface Indexed {
  readonly spotlights: TextIndex;
  readonly passages: TextIndex;
  readonly snapshot: PublicSnapshot;
  /** What was found in this very state, by limit and query. */
  readonly found: Found;
}

interface Found {
  readonly spotlights: BoundedMap<readonly SpotlightHit[]>;
  readonly passages: BoundedMap<readonly PassageHit[]>;
}

function nothingFound(): Found {
  return {
    spotlights: new BoundedMap(REMEMBERED_MAX),
    passages: new BoundedMap(REMEMBERED_MAX),
  };
}

/** What was last looked for. */
interface Asked {
  readonly query: string;
  readonly indexed: Indexed;
  readonly terms: readonly WeighedTerm[];
}

/** The service stops, so nothing more is indexed. */
class Closed extends Error {}

/**
 * What this isolate searches: the public Spotlights and the documentation, in
 * memory. It follows what `show` is told, in the background; searches meanwhile
 * find what was there before.
 */
export class LiveSearchIndex implements SearchIndex {
  readonly #options: Required<LiveSearchIndexOptions>;
  readonly #passages: ReadonlyMap<string, Passage>;
  #indexed: Indexed | null = null;
  #asked: Asked | null = null;
  #wanted: PublicSnapshot | null = null;
  #following: Promise<void> | null = null;
  #isClosed = false;
  /** A change was broken off, so that only a new index is whole. */
  #isSpoiled = false;

  constructor(options: LiveSearchIndexOptions) {
    this.#options = { pause: nextTurn, ...options };
    this.#passages = new Map(options.passages.map((one) => [one.id, one]));
  }

  get isReady(): boolean {
    return this.#indexed !== null;
  }

  /** Indexes what is public now, or what of it has changed. Never throws. */
  show(snapshot: PublicSnapshot): void {
    this.#wanted = snapshot;
    this.#following ??= this.#follow().finally(() => {
      this.#following = null;
    });
  }

  /** Waits until everything that was shown is indexed, or could not be. */
  async settled(): Promise<void> {
    await this.#following;
  }

  /** Ends what is under way. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.settled();
  }

  findSpotlights(
    query: string,
    limit: number,
  ): Promise<readonly SpotlightHit[]> {
    const foundIn = ({ found }: Indexed) => found.spotlights;
    return this.#search(foundIn, { query, limit }, (indexed, terms) => {
      const { spotlights, snapshot } = indexed;
      return spotlights.find(terms, limit).flatMap(({ id, score }) => {
        // A change that was broken off leaves days that the snapshot has not.
        const record = snapshot.byDay.get(id);
        return record === undefined ? [] : [{ day: record.day, score }];
      });
    });
  }

  findPassages(query: string, limit: number): Promise<readonly PassageHit[]> {
    return this.#search(
      ({ found }) => found.passages,
      { query, limit },
      ({ passages }, terms) => {
        const answer = this.#passages.get(this.#options.answerTo(query) ?? "");
        if (answer === undefined) return this.#hits(passages, terms, limit);
        const many = Math.max(limit, ANSWER_AMONG);
        const hits = this.#hits(passages, terms, many);
        return answeredBy(answer, hits).slice(0, limit);
      },
    );
  }

  #hits(
    index: TextIndex,
    terms: readonly WeighedTerm[],
    limit: number,
  ): PassageHit[] {
    return index.find(terms, limit).map(({ id, score }) => {
      const passage = this.#passages.get(id);
      invariant(passage !== undefined, "every indexed passage is known");
      return { passage, score };
    });
  }

  /** Runs in one turn, so what is searched is of one moment. */
  // deno-lint-ignore require-await
  async #search<Hit>(
    foundIn: (indexed: Indexed) => BoundedMap<readonly Hit[]>,
    { query, limit }: { query: string; limit: number },
    run: (indexed: Indexed, terms: readonly WeighedTerm[]) => readonly Hit[],
  ): Promise<readonly Hit[]> {
    const indexed = this.#indexed;
    if (indexed === null) {
      throw new IndexNotReady("The search index has not been built yet");
    }
    const found = foundIn(indexed);
    const key = `${limit} ${query}`;
    const before = found.get(key);
    if (before !== undefined) return before;
    const hits = run(indexed, this.#termsOf(query, indexed));
    found.set(key, hits);
    return hits;
  }

  /** Kept for the next call, as `/ask` searches both indexes for one query. */
  #termsOf(query: string, indexed: Indexed): readonly WeighedTerm[] {
    const asked = this.#asked;
    if (asked?.query === query && asked.indexed === indexed) return asked.terms;
    const searched = [indexed.spotlights.searched, indexed.passages.searched];
    const trees = searched.flatMap((one) => one.trees);
    const terms = weighTerms(expandQuery(parseQuery(query), trees), searched);
    this.#asked = { query, indexed, terms };
    return terms;
  }

  async #follow(): Promise<void> {
    try {
      while (
        this.#wanted !== null && this.#wanted !== this.#indexed?.snapshot
      ) {
        await this.#bringTo(this.#wanted);
      }
    } catch (error) {
      if (error instanceof Closed) return;
      this.#isSpoiled = true;
      this.#options.log.error("search_index_not_updated", {
        error: String(error),
      });
    }
  }

  async #bringTo(snapshot: PublicSnapshot): Promise<void> {
    const indexed = this.#indexed;
    this.#asked = null;
    const changes = changesBetween(
      indexed?.snapshot ?? EMPTY_SNAPSHOT,
      snapshot,
    );
    const count = changes.gone.length + changes.put.length;
    if (indexed === null || this.#isSpoiled || count > CHANGES_MAX) {
      this.#indexed = await this.#built(snapshot, indexed?.passages);
      this.#isSpoiled = false;
      return;
    }
    // In one turn: no search sees new days beside the old snapshot.
    apply(indexed.spotlights, changes);
    this.#indexed = { ...indexed, snapshot, found: nothingFound() };
  }

  async #built(
    snapshot: PublicSnapshot,
    passages?: TextIndex,
  ): Promise<Indexed> {
    const pause = async () => {
      await this.#options.pause();
      if (this.#isClosed) throw new Closed();
    };
    // The answer to whoever started us comes first.
    await pause();
    const spotlights = new TextIndex(SPOTLIGHTS);
    await spotlights.fill(snapshot.records.map(spotlightDocument), pause);
    return {
      spotlights,
      passages: passages ?? await this.#passageIndex(pause),
      snapshot,
      found: nothingFound(),
    };
  }

  async #passageIndex(pause: () => Promise<void>): Promise<TextIndex> {
    const all = [...this.#passages.values()];
    const index = new TextIndex(passageOptions(all));
    await index.fill(all.map(passageDocument), pause);
    return index;
  }
}

/** The hits with the best of that section first, or else with its beginning. */
function answeredBy(
  begin: Passage,
  hits: readonly PassageHit[],
): PassageHit[] {
  const { passage } = hits.find(({ passage }) => passage.url === begin.url) ??
    { passage: begin };
  const others = hits.filter((hit) => hit.passage !== passage);
  return [{ passage, score: 1 }, ...others];
}

function apply(index: TextIndex, { gone, put }: Changes): void {
  gone.forEach((day) => index.drop(day));
  put.forEach((record) => index.put(spotlightDocument(record)));
}

/** What makes one snapshot into another. */
interface Changes {
  /** Days that are no longer public. */
  readonly gone: readonly Day[];
  /** Records that are new or read otherwise. */
  readonly put: readonly PublicRecord[];
}

/**
 * What changed between two snapshots. A record that has not changed is taken
 * over from one to the next, so looking whether it is the same one is enough.
 */
function changesBetween(
  before: PublicSnapshot,
  after: PublicSnapshot,
): Changes {
  return {
    gone: before.records.filter(({ day }) => !after.byDay.has(day))
      .map(({ day }) => day),
    put: after.records.filter((record) =>
      before.byDay.get(record.day) !== record
    ),
  };
}
