import type { Network } from "../rate_limit/network.ts";

/** What the registry of VAT ids says. */
export interface VatAnswer {
  /** `unknown`: the registry could not be asked; never a no. */
  outcome: "valid" | "invalid" | "unknown";
  /** The registry's own number of this answer; null where it gave none. */
  consultation: string | null;
  /** Whose id it is, as registered; null where the registry does not say. */
  name: string | null;
  /** It was not asked, for want of budget or of a free place; when it may be. */
  retryAfterMs?: number;
}

/** A VAT id that has the form its country gives it. */
export interface VatIdForm {
  /** In capitals without separators, with the prefix of its country. */
  vatId: string;
  /** ISO 3166-1 alpha-2: GR for ids that begin with EL. */
  country: string;
}

/** The registry of VAT ids as it is reached. */
export interface VatSource {
  /** Reads a VAT id as people write it; null when no member state's has it. */
  read(text: string): VatIdForm | null;
  /** Asks the registry. An outage is an answer, never an error. */
  check(vatId: string): Promise<VatAnswer>;
}

/** For whom the registry is asked. */
export interface VatAsker {
  accountId: string;
  /** It has a checked identity or a card, which nobody has for nothing. */
  isKnown: boolean;
  /**
   * The card by which alone it is known, as `countedCard()` names it; null for
   * who has a checked identity, or neither.
   */
  card: string | null;
  /** Where the request came from; none for a job. */
  networks: readonly Network[];
}

/** The same as verbs ask it: for an account, which may do so often only. */
export interface VatRegistry extends Pick<VatSource, "read"> {
  check(vatId: string, asker: VatAsker): Promise<VatAnswer>;
}
