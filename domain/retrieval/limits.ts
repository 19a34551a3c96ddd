/**
 * The bounds of retrieval, with the sections of the contract that set them.
 *
 * @module
 */

/** How many results `/ask` answers (contract §5.2). */
export const ASK_RESULTS_MAX = 20;

/**
 * Spotlights the index is asked for: a few more than are answered, to fill up
 * where one of them turns out to be removed.
 */
export const ASK_SPOTLIGHT_HITS = 30;

/** How many passages may be asked for (contract §8.4). */
export const DOCS_SEARCH_MAX = 10;
/** How many passages are answered otherwise (contract §8.4). */
export const DOCS_SEARCH_DEFAULT = 5;

/** Sections that `read_docs_page` answers to a query. */
export const PAGE_SECTIONS_MAX = 3;

/** Words of a passage, about; a longer section is several passages. */
export const PASSAGE_WORDS_MAX = 150;
