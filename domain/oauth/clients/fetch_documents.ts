import { evictOldest } from "../../evict_oldest.ts";
import { sha256Hex } from "../../sha256.ts";
import type { FairQueue } from "../../fetching/fair_queue.ts";
import { FetchBusy, FetchRefused } from "../../fetching/fetcher.ts";
import type { Services } from "../../ports.ts";
import { Refused } from "../../refusal.ts";
import type { FetchedDocument } from "../client.ts";

/** How large a client's document may be, and how long it may take. */
const POLICY = {
  maxBytes: 5 * 1024,
  timeoutMs: 5_000,
  accept: "application/json",
} as const;

/** Bounds of the `max-age` that a document asks for. */
export const KEPT_MIN_S = 5 * 60;
/** The longest that a document is kept, seconds. */
export const KEPT_MAX_S = 24 * 3_600;

/** Addresses that a process remembers to have answered with a good document. */
const GOOD_MAX = 10_000;

/** What fetching needs of the service. */
export type FetchServices = Pick<Services, "store" | "clock" | "fetcher">;

/** At whose wish something is fetched. */
export interface Asker {
  /** Names the network that takes turns with others. */
  network: string;
  /** Takes tokens for an outgoing request; throws when there is none. */
  admit(): Promise<void>;
}

/** How one address is fetched. */
export interface DocumentWanted {
  url: string;
  /** What is looked for there: others who look for the same share its fetch. */
  what: "client" | "keys";
  /** Whether the text is worth keeping. */
  isGood: (text: string) => boolean;
  asker: Asker;
  /** Whether a user has approved the client that names it. */
  isApproved: boolean;
}

/**
 * Reads documents at addresses that clients name: from the store while they
 * are fresh, else through the guarded fetcher, once however many ask at the
 * same time. What is faulty or does not come is not kept. Networks take turns:
 * whoever asks for much waits behind who asks for little. Documents of one host
 * wait for each other, but for those that were good before or whose client was
 * approved: strangers can name slow addresses at the hosts of others. Decision
 * 0032 says why.
 */
export class DocumentReader {
  readonly #services: FetchServices;
  readonly #queue: FairQueue;
  /** By what is looked for and the hash of its address. */
  readonly #underWay = new Map<string, Promise<string | null>>();
  /** By the hash of their address. */
  readonly #good = new Map<string, true>();

  constructor(services: FetchServices, queue: FairQueue) {
    this.#services = services;
    this.#queue = queue;
  }

  /**
   * The text of a good document; null when there is none.
   *
   * @throws {FetchBusy} when the asker's turn does not come in time
   * @throws whatever the asker's `admit` throws
   */
  async read(wanted: DocumentWanted): Promise<string | null> {
    const urlHash = sha256Hex(wanted.url);
    const kept = await this.#kept(urlHash);
    if (kept !== null) return kept;
    const before = this.#underWay.get(shareKey(wanted, urlHash));
    if (before !== undefined) {
      const shared = await before.catch(onlyOfAsker);
      if (shared !== undefined) return shared;
    }
    const { asker: { network }, url, isApproved } = wanted;
    const isTrusted = isApproved || this.#good.has(urlHash);
    const lane = isTrusted ? url : new URL(url).host;
    const begin = () => this.#begin(wanted, urlHash);
    return await this.#queue.run(network, lane, begin);
  }

  async #kept(urlHash: string): Promise<string | null> {
    const { store } = this.#services;
    return (await store.fetchedDocuments.find(urlHash))?.body ?? null;
  }

  /** Fetches, and lets others share it who ask meanwhile. */
  #begin(wanted: DocumentWanted, urlHash: string): Promise<string | null> {
    const key = shareKey(wanted, urlHash);
    const fetching = this.#fetch(wanted, urlHash).finally(() => {
      if (this.#underWay.get(key) === fetching) this.#underWay.delete(key);
    });
    this.#underWay.set(key, fetching);
    return fetching;
  }

  async #fetch(
    { url, isGood, asker }: DocumentWanted,
    urlHash: string,
  ): Promise<string | null> {
    // Another may have fetched it while this one waited for its turn.
    const kept = await this.#kept(urlHash);
    if (kept !== null) return kept;
    await asker.admit();
    const { clock, store } = this.#services;
    const fetched = await this.#get(url, asker.network);
    if (fetched === null || !isGood(fetched.body)) return null;
    this.#good.set(urlHash, true);
    evictOldest(this.#good, GOOD_MAX);
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
    asker: string,
  ): Promise<{ body: string; maxAgeS: number | null } | null> {
    try {
      return await this.#services.fetcher.getJson(url, { ...POLICY, asker });
    } catch (thrown) {
      if (thrown instanceof FetchRefused) return null;
      throw thrown;
    }
  }
}

/** Who looks for something else there judges what comes in another way. */
function shareKey(
  { what }: Pick<DocumentWanted, "what">,
  urlHash: string,
): string {
  return `${what} ${urlHash}`;
}

/**
 * What one asker is refused says nothing to another, who asks on its own
 * account then.
 */
function onlyOfAsker(thrown: unknown): undefined {
  if (thrown instanceof Refused || thrown instanceof FetchBusy) return;
  throw thrown;
}

function keptMs(maxAgeS: number | null): number {
  const wantedS = maxAgeS ?? KEPT_MIN_S;
  return Math.min(KEPT_MAX_S, Math.max(KEPT_MIN_S, wantedS)) * 1_000;
}
