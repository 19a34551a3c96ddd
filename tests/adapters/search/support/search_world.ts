import type { Retrieval } from "../../../../domain/retrieval/retrieval.ts";
import { passagesOf } from "../../../../domain/retrieval/passages.ts";
import { PublicRecords } from "../../../../domain/spotlights/public_records.ts";
import type { Spotlight } from "../../../../domain/spotlights/spotlight.ts";
import { LiveSearchIndex } from "../../../../adapters/search/live_search_index.ts";
import { passageOfCode } from "../../../../routes/errors/asked_code.ts";
import { MemoryLog } from "../../../support/captured_logs.ts";
import { settle, TEST_BASE_URL } from "../../../support/public_spotlights.ts";
import {
  openTestStore,
  type TestProcess,
  type TestStore,
} from "../../../support/store.ts";

/** An isolate with its own records and index, over a store of several. */
export interface SearchIsolate {
  readonly retrieval: Retrieval;
  readonly index: LiveSearchIndex;
  readonly records: PublicRecords;
  readonly store: TestProcess["store"];
  /** Reads what has changed and waits until it is indexed. */
  refresh(): Promise<void>;
}

/** A page for tests that need no more. */
export const SMALL_PAGES = {
  "/auth.md": "# Access\n\nAll about access.\n\n## Scopes\n\n" +
    "A scope is what a user allows.\n\n## Tokens\n\nA token lasts an hour.\n",
  "/privacy.md": "# Privacy\n\n## Cookies\n\nThere are no cookies.\n",
} as const;

/** A store, and isolates that search over it. */
export class SearchWorld implements AsyncDisposable {
  readonly test: TestStore;
  readonly log = new MemoryLog();
  readonly #documents: Readonly<Record<string, string>>;

  private constructor(test: TestStore, documents: Record<string, string>) {
    this.test = test;
    this.#documents = documents;
  }

  /** A store in which these days have settled. */
  static async open(
    spotlights: readonly Spotlight[],
    documents: Record<string, string> = SMALL_PAGES,
  ): Promise<SearchWorld> {
    const world = new SearchWorld(await openTestStore(), documents);
    if (spotlights.length > 0) await settle(world.test.store, ...spotlights);
    return world;
  }

  /** Another isolate that has just started, with nothing indexed yet. */
  start(): SearchIsolate {
    const { log, test } = this;
    const documents = this.#documents;
    const { store } = test.another();
    const passages = passagesOf(documents, TEST_BASE_URL);
    const index = new LiveSearchIndex({
      passages,
      answerTo: passageOfCode,
      log,
    });
    const records = new PublicRecords({
      store,
      log,
      baseUrl: TEST_BASE_URL,
      onChange: (snapshot) => index.show(snapshot),
    });
    const baseUrl = TEST_BASE_URL;
    const retrieval = { index, store, records, documents, baseUrl };
    return {
      ...{ retrieval, index, records, store },
      async refresh() {
        await records.refreshNow();
        await index.settled();
      },
    };
  }

  /** Another isolate that has indexed everything. */
  async ready(): Promise<SearchIsolate> {
    const isolate = this.start();
    await isolate.refresh();
    return isolate;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.test.close();
  }
}
