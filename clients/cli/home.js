// @ts-check

/** Whoever hands this file out puts its own address in this one's place. */
const ADDRESS = "https://spotlight.example";

/**
 * The service that handed this command line out, which is meant where none is
 * named; null from the source, which is nobody's.
 */
export const HOME = ADDRESS.endsWith("/spotlight.example") ? null : ADDRESS;
