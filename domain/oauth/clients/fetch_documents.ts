import { FetchRefused } from "../../fetching/fetcher.ts";
import type { Services } from "../../ports.ts";
import type { FetchedDocument } from "../client.ts";
import { tokenHash } from "../tokens.ts";

/** How large a client's document may be, and how long it may take. */
const POLICY = {
  maxBytes: 5 * 1024,
  timeoutMs: 5_000,
  accept: "application/json",
} as const;

/** Bounds of the `max-age` that a document asks for. */
const KEPT_MIN_S = 5 * 60;
const KEPT_MAX_S = 24 * 3_600;

/** What fetching needs of the service. */
export type FetchServices = Pick<Services, "store" | "clock" | "fetcher">;

/** How one address is fetched. */
export interface DocumentWanted {
  url: string;
  /** Whether the text is worth keeping. */
  isGood: (text: string) => boolean;
  /** Takes a token for an outgoing request; throws when there is none. */
  admit: () => Promise<void>;
}

/**
 * Reads documents at addresses that clients name: from the store while they
 * are fresh, else through the guarded fetcher, once however many ask at the
 * same time. What is faulty or does not come is not kept.
 */
export class DocumentReader {
  readonly #services: FetchServices;
  readonly #underWay = new Map<string, Promise<string | null>>();

  constructor(services: FetchServices) {
    this.#services = services;
  }

  /** The text of a good document; null when there is none. */
  async read(wanted: DocumentWanted): Promise<string | null> {
    const urlHash = tokenHash(wanted.url);
    const kept = await this.#services.store.fetchedDocuments.find(urlHash);
    if (kept !== null) return kept.body;
    const before = this.#underWay.get(urlHash);
    if (before !== undefined) return await before;
    const fetching = this.#fetch(wanted, urlHash)
      .finally(() => this.#underWay.delete(urlHash));
    this.#underWay.set(urlHash, fetching);
    return await fetching;
  }

  async #fetch(
    { url, isGood, admit }: DocumentWanted,
    urlHash: string,
  ): Promise<string | null> {
    await admit();
    const { clock, store } = this.#services;
    const fetched = await this.#get(url);
    if (fetched === null || !isGood(fetched.body)) return null;
    const nowMs = clock.now();
    const document: FetchedDocument = {
      urlHash,
      url,
      body: fetched.body,
      fetchedAtMs: nowMs,
      expiresAtMs: nowMs + keptMs(fetched.maxAgeS),
    };
    await store.transact((tx) => tx.fetchedDocuments.save(document));
    return document.body;
  }

  async #get(
    url: string,
  ): Promise<{ body: string; maxAgeS: number | null } | null> {
    try {
      return await this.#services.fetcher.getJson(url, POLICY);
    } catch (thrown) {
      if (thrown instanceof FetchRefused) return null;
      throw thrown;
    }
  }
}

function keptMs(maxAgeS: number | null): number {
  const wantedS = maxAgeS ?? KEPT_MIN_S;
  return Math.min(KEPT_MAX_S, Math.max(KEPT_MIN_S, wantedS)) * 1_000;
}
