/** The day from which the present terms count, as `docs/terms.md` says it. */
export const TERMS_VERSION = "2026-11-23";

/** That the owner of an account accepted the terms, and which. */
export interface AcceptedTerms {
  version: string;
  acceptedAtMs: number;
}

/** The present terms, accepted now. */
export function acceptTerms(nowMs: number): AcceptedTerms {
  return { version: TERMS_VERSION, acceptedAtMs: nowMs };
}
