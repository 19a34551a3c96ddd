/**
 * Documents of clients, as the test answers for the internet, over a real store
 * and a real queue.
 *
 * @module
 */
import {
  DOCUMENT_QUEUE,
  FairQueue,
  type FairQueueLimits,
} from "../../../../domain/fetching/fair_queue.ts";
import type {
  Fetched,
  Fetcher,
  FetchPolicy,
} from "../../../../domain/fetching/fetcher.ts";
import type { Asker } from "../../../../domain/oauth/clients/fetch_documents.ts";
import { OUTSIDE } from "../../../support/outside.ts";
import { openTestStore, type TestStore } from "../../../support/store.ts";

/** The bench of one test. */
export interface DocumentBench extends TestStore {
  fetcher: Fetcher;
  /** What was asked for, in order. */
  asked: { url: string; policy: FetchPolicy }[];
  /** What the internet answers from now on. */
  answer: (url: string) => Promise<Fetched>;
  /** How often the store has said whether it keeps a document. */
  lookedUp: number;
  /** A queue in which no wait runs out. */
  queue(limits?: Partial<FairQueueLimits>): FairQueue;
}

/** Opens a bench whose internet answers with `{}`. */
export async function openDocumentBench(): Promise<DocumentBench> {
  const testStore = await openTestStore();
  const { clock, store } = testStore;
  const { fetchedDocuments } = store;
  const find = async (urlHash: string) => {
    const found = await fetchedDocuments.find(urlHash);
    bench.lookedUp += 1;
    return found;
  };
  const bench: DocumentBench = {
    ...testStore,
    store: { ...store, fetchedDocuments: { ...fetchedDocuments, find } },
    asked: [],
    lookedUp: 0,
    answer: () => Promise.resolve(fetched("{}")),
    fetcher: {
      ...OUTSIDE.fetcher,
      getJson(url, policy) {
        bench.asked.push({ url, policy });
        return bench.answer(url);
      },
    },
    queue: (limits = {}) =>
      new FairQueue({
        clock,
        startTimer: () => () => {},
        limits: { ...DOCUMENT_QUEUE, ...limits },
      }),
  };
  return bench;
}

/** An answer with that body. */
export function fetched(body: string, maxAgeS: number | null = null): Fetched {
  return { status: 200, contentType: "application/json", body, maxAgeS };
}

/** Who asks from a network, and is admitted unless that is said. */
export function asker(
  network: string,
  admit: Asker["admit"] = () => Promise.resolve(),
): Asker {
  return { network, admit };
}

/** A document that comes when the test lets it. */
export interface Held {
  /** It has been asked for. */
  begun: PromiseWithResolvers<void>;
  body: PromiseWithResolvers<string>;
}

/** Holds back every answer of the bench, by address. */
export function holdAnswers(bench: DocumentBench): (url: string) => Held {
  const all = new Map<string, Held>();
  const held = (url: string) => {
    const made = all.get(url) ??
      { begun: Promise.withResolvers(), body: Promise.withResolvers() };
    all.set(url, made);
    return made;
  };
  bench.answer = async (url) => {
    held(url).begun.resolve();
    return fetched(await held(url).body.promise);
  };
  return held;
}
