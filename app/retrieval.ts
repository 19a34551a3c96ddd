import { documentFactsOf, readDocuments } from "./documents.ts";
import type { Config } from "../config/config.ts";
import type { Log } from "../domain/ports.ts";
import {
  type PublishedDocuments,
  SEARCHED_PATHS,
} from "../domain/retrieval/docs_pages.ts";
import { passagesOf } from "../domain/retrieval/passages.ts";
import { passageOfCode } from "../routes/errors/asked_code.ts";
import { withAddresses } from "../routes/site/documents/document_pages.tsx";
import { LiveSearchIndex } from "../adapters/search/live_search_index.ts";

/** What is searched in this isolate. */
export interface Search {
  readonly index: LiveSearchIndex;
  /** The pages of the documentation, as they are served. */
  readonly documents: PublishedDocuments;
}

/** Reads the documentation, and makes the index that is then filled. */
export async function openSearch(
  config: Config,
  log: Log,
): Promise<Search> {
  const { settings } = config;
  const published: PublishedDocuments = await readDocuments(
    documentFactsOf(config),
  );
  const documents = Object.fromEntries(
    SEARCHED_PATHS.flatMap((path) => {
      const text = published[path];
      return text === undefined ? [] : [[path, withAddresses(text, settings)]];
    }),
  );
  const passages = passagesOf(documents, settings.baseUrl);
  const index = new LiveSearchIndex({ passages, answerTo: passageOfCode, log });
  return { index, documents };
}
