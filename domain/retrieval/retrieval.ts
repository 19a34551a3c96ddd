import type { Store } from "../ports.ts";
import type { PublishedDocuments } from "./docs_pages.ts";
import type { SearchIndex } from "./search_index.ts";

/** What the verbs of retrieval need. */
export interface Retrieval {
  readonly index: SearchIndex;
  /** The store knows first what was removed. */
  readonly store: Pick<Store, "getMany" | "spotlights">;
  readonly documents: PublishedDocuments;
  /** The public address, without a trailing slash. */
  readonly baseUrl: string;
}
