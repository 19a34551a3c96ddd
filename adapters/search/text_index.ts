/**
 * An index of short texts over Orama, which keeps the trees of terms, how often
 * a term stands in a field and the documents. How hits are scored is ours: see
 * `ranking.ts`.
 *
 * @module
 */
import {
  type components,
  count,
  create,
  getByID,
  insert,
  type Orama,
  remove,
} from "@orama/orama";
import { invariant } from "../../domain/invariant.ts";
import { firstOf } from "./first_of.ts";
import {
  type Field,
  type FieldPostings,
  scoreTerms,
  type TermPostings,
  termPostings,
} from "./ranking.ts";
import { termsOf } from "./terms.ts";
import type { Searched, WeighedTerm } from "./rarity.ts";

/** Documents that are indexed before others get their turn. */
const BATCH = 20;

/** A document: its id and its texts by field. */
export interface TextDocument {
  readonly id: string;
  readonly texts: Readonly<Record<string, string>>;
}

/** A document that was found. */
export interface TextHit {
  readonly id: string;
  /** The share of the query that it answers, 0 to 1, 6 decimals. */
  readonly score: number;
}

/** How an index is made. */
export interface TextIndexOptions {
  readonly fields: Readonly<Record<string, Field>>;
  /** Puts ids whose scores are equal in order. */
  readonly compareIds: (a: string, b: string) => number;
}

type Postings = components.index.Index;

/** An index of documents with the same fields. */
export class TextIndex {
  readonly #options: TextIndexOptions;
  readonly #db: Orama<Record<string, "string">>;
  readonly #weighed = new Map<string, TermPostings>();

  constructor(options: TextIndexOptions) {
    this.#options = options;
    const names = Object.keys(options.fields);
    this.#db = create({
      schema: Object.fromEntries(
        names.map((name) => [name, "string"] as const),
      ),
      sort: { enabled: false },
      components: {
        tokenizer: {
          language: "english",
          normalizationCache: new Map(),
          tokenize: (text: string, _language, name) =>
            options.fields[name ?? ""]?.isTerms
              ? text.split(" ")
              : termsOf(text),
        },
      },
    });
  }

  /** The terms of all fields, and how many documents have them. */
  get searched(): Searched {
    return {
      trees: this.#postings.map(({ tree }) => tree),
      documentCount: count(this.#db),
    };
  }

  get #postings(): readonly FieldPostings[] {
    const data = this.#db.data.index as Postings;
    return Object.entries(this.#options.fields).map(([name, field]) => {
      const tree = data.indexes[name];
      invariant(tree?.type === "Radix", `field ${name} has a tree of terms`);
      return {
        ...field,
        tree: tree.node,
        frequencies: data.frequencies[name] ?? {},
        lengths: data.fieldLengths[name] ?? {},
      };
    });
  }

  /**
   * Indexes many documents, with pauses in which others get their turn.
   *
   * @throws what a pause throws, with what came before it indexed
   */
  async fill(
    documents: readonly TextDocument[],
    pause: () => Promise<void>,
  ): Promise<void> {
    for (let at = 0; at < documents.length; at += BATCH) {
      if (at > 0) await pause();
      documents.slice(at, at + BATCH).forEach((one) => this.put(one));
    }
  }

  /** Indexes a document, instead of what was indexed under its id. */
  put({ id, texts }: TextDocument): void {
    this.drop(id);
    this.#weighed.clear();
    const inserted = insert(this.#db, { ...texts, id });
    invariant(inserted === id, "Orama inserts at once when it has no hooks");
  }

  /** Forgets a document; does nothing when there is none. */
  drop(id: string): void {
    if (getByID(this.#db, id) === undefined) return;
    this.#weighed.clear();
    const removed = remove(this.#db, id);
    invariant(removed === true, "Orama removes at once when it has no hooks");
  }

  /** The documents that fit the terms best, in a total order. */
  find(terms: readonly WeighedTerm[], limit: number): TextHit[] {
    const { compareIds } = this.#options;
    const hits = firstOf(
      scoreTerms((term) => this.#postingsOf(term), terms),
      limit,
      ([a, aScore], [b, bScore]) =>
        bScore - aScore || compareIds(this.#idOf(a), this.#idOf(b)),
    );
    return hits.map(([internalId, score]) => ({
      id: this.#idOf(internalId),
      score,
    }));
  }

  /** Remembered until a document changes; no more than there are terms. */
  #postingsOf(term: string): TermPostings {
    const known = this.#weighed.get(term);
    if (known !== undefined) return known;
    const postings = termPostings(this.#postings, term);
    if (postings.ids.length > 0) this.#weighed.set(term, postings);
    return postings;
  }

  #idOf(internalId: number): string {
    const id = this.#db.internalDocumentIDStore.internalIdToId[internalId - 1];
    invariant(id !== undefined, "every posting belongs to a document");
    return id;
  }
}
