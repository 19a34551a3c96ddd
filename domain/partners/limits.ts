/**
 * The numbers of the partner programme (docs/affiliate.md).
 *
 * @module
 */
import { DAY_MS } from "../day.ts";

/**
 * The day from which the present terms of the programme count, as
 * `docs/affiliate.md` says it.
 */
export const PARTNER_TERMS_VERSION = "2026-11-28";
/** Commission on the net amount of a paid invoice, per cent. */
export const COMMISSION_PERCENT = 10;
/** How long after a sign-up paid invoices bring commission, months. */
export const COMMISSION_MONTHS = 12;
/** A commission is pending for so long at least. */
export const PENDING_MS = 30 * DAY_MS;
/**
 * A statement is of so many invoices at least: from a total of one, the sealed
 * amount of a bid could be told.
 */
export const STATEMENT_INVOICES_MIN = 3;
/** A month of fewer is put into a later statement, for so long at most. */
export const CARRIED_MONTHS_MAX = 12;
/**
 * Statements tell whole steps, cents, and keep the rest for the next one: of
 * whatever a partner knows of the invoices in one, such as those of an account of
 * its own, no amount of another's can be told by taking that off.
 */
export const STATEMENT_STEP_CENTS = 1_000;
/** The smallest payout, cents. */
export const PAYOUT_MIN_CENTS = 5_000;
/** Links that a partner has, ended ones included. */
export const LINKS_MAX = 50;
/** How long a browser keeps a referral that its user agreed to. */
export const REFERRAL_COOKIE_MS = 30 * DAY_MS;
