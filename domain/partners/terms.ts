/**
 * The day from which the present terms of the programme count, as
 * `docs/affiliate.md` says it.
 */
export const PARTNER_TERMS_VERSION = "2026-11-23";
