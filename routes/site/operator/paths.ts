/**
 * The addresses of the operator's desk.
 *
 * @module
 */
import { type Day, parseDay } from "../../../domain/day.ts";
import { refuse } from "../../../domain/refusal.ts";
import type { PageRequest } from "../pages/advertiser_page.ts";

/** Where an operator decides about accounts. */
export const ACCOUNTS_PATH = "/operator/accounts";

/** The page of one account. */
export function accountPath(accountId: string): string {
  return `${ACCOUNTS_PATH}/${encodeURIComponent(accountId)}`;
}

/** Where operators read what operators did. */
export const AUDIT_PATH = "/operator/audit";

/** Where an operator watches days. */
export const DAYS_PATH = "/operator/days";

/** The page of one day. */
export function dayPath(day: Day): string {
  return `${DAYS_PATH}/${day}`;
}

/** Where an operator looks at a restored store and releases it. */
export const HOLD_PATH = "/operator/hold";

/** Where an operator makes and orders house ads. */
export const HOUSE_ADS_PATH = "/operator/house-ads";

/** Where something is done about one of them. */
export function houseAdPath(id: string, act: string): string {
  return `${HOUSE_ADS_PATH}/${encodeURIComponent(id)}/${act}`;
}

/** Where an operator looks at the background jobs. */
export const JOBS_PATH = "/operator/jobs";

/** Where operators make and end keys of the operator API. */
export const KEYS_PATH = "/operator/keys";

/** Where an operator reads the state of the money. */
export const MONEY_PATH = "/operator/money";

/** Where a form has a document archived again. */
export const ARCHIVE_PATH = "/operator/money/archive";

/** Where the entries of the books are read. */
export const BOOKS_PATH = "/operator/money/entries";

/** Where every invoice is found. */
export const INVOICES_PATH = "/operator/money/invoices";

/** The address of the invoices of one day. */
export function invoicesPath(day: Day): string {
  return `${INVOICES_PATH}?from=${day}&until=${day}`;
}

/** Where what was booked of one payment is read, by its id. */
export const PAYMENTS_PATH = "/operator/money/payments";

/** The address of what was booked of a payment. */
export function paymentPath(paymentId: string): string {
  return `${PAYMENTS_PATH}/${encodeURIComponent(paymentId)}`;
}

/** Where an operator looks at partners. */
export const PARTNERS_PATH = "/operator/partners";

/** Where an operator deals with what readers reported. */
export const REPORTS_PATH = "/operator/reports";

/** The page of one Spotlight's reports. */
export function reportsPath(day: Day): string {
  return `${REPORTS_PATH}/${day}`;
}

/** Where an operator decides about advertisements. */
export const REVIEW_PATH = "/operator/review";

/** The page of one advertisement. */
export function reviewPath(adId: string): string {
  return `${REVIEW_PATH}/${adId}`;
}

/**
 * The day that an address names.
 *
 * @throws {Refused} `not_found` for what is no day
 */
export function dayIn({ param }: Pick<PageRequest, "param">): Day {
  const message = "Cannot find the page: it is of no day";
  return parseDay(param("day")) ?? refuse({ code: "not_found", message });
}

/** A place in a list by time. */
interface Place {
  atMs: number;
  id: string;
}

const PLACE = /^(\d{1,15})-([\w:.-]{1,200})$/;

/** A place as an address has it. */
export function placeText({ atMs, id }: Place): string {
  return `${atMs}-${id}`;
}

/** The place that an address goes on from; null for the newest. */
export function placeIn(text: string | null): Place | null {
  const [, atMs, id] = PLACE.exec(text ?? "") ?? [];
  return id === undefined ? null : { atMs: Number(atMs), id };
}
