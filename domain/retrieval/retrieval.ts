import type { Store } from "../ports.ts";
import type { PublicRecords } from "../spotlights/public_records.ts";
import type { PublishedDocuments } from "./docs_pages.ts";
import type { SearchIndex } from "./search_index.ts";

/** What the verbs of retrieval need. */
export interface Retrieval {
  readonly index: SearchIndex;
  /** The store knows first what was removed. */
  readonly store: Pick<Store, "getMany" | "spotlights" | "spotlightsVersion">;
  /** What is public, as long as the store says that nothing has changed. */
  readonly records: Pick<PublicRecords, "snapshotAt">;
  readonly documents: PublishedDocuments;
  /** The public address, without a trailing slash. */
  readonly baseUrl: string;
}
