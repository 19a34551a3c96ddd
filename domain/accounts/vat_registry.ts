/** What the registry of VAT ids says. */
export interface VatAnswer {
  /** `unknown`: the registry could not be asked; never a no. */
  outcome: "valid" | "invalid" | "unknown";
  /** The registry's own number of this answer; null where it gave none. */
  consultation: string | null;
}

/** A VAT id that has the form its country gives it. */
export interface VatIdForm {
  /** In capitals without separators, with the prefix of its country. */
  vatId: string;
  /** ISO 3166-1 alpha-2: GR for ids that begin with EL. */
  country: string;
}

/** The registry of VAT ids. */
export interface VatRegistry {
  /** Reads a VAT id as people write it; null when no member state's has it. */
  read(text: string): VatIdForm | null;
  /** Asks the registry. An outage is an answer, never an error. */
  check(vatId: string): Promise<VatAnswer>;
}
