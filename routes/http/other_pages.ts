/**
 * What browsers say of requests that a page of another site had them send
 * (Fetch Metadata). Programs say nothing of it, and a page cannot change it.
 * Decision 0032 says why it is asked.
 *
 * @module
 */
import { respond } from "./respond.ts";

/** Whether a page of another origin led to a request. */
export function isOfOtherPage({ headers }: Request): boolean {
  const site = headers.get("sec-fetch-site");
  return site === "cross-site" || site === "same-site";
}

/**
 * Whether a page of another origin has no business with a request: it may lead
 * a person here, and its scripts may ask what is open to them. Pictures, frames,
 * forms and what a browser fetches ahead would only spend what its user may do.
 */
export function isUncalledFor(
  request: Request,
  isOpenToScripts: boolean,
): boolean {
  if (!isOfOtherPage(request)) return false;
  const { method, headers } = request;
  const mode = headers.get("sec-fetch-mode");
  if (mode === "cors") return !isOpenToScripts;
  const isLed = mode === "navigate" && !headers.has("sec-purpose") &&
    headers.get("sec-fetch-dest") === "document";
  return !isLed || (method !== "GET" && method !== "HEAD");
}

/** Whether a person sees the answer, such as the one to a form. */
export function isSeen({ headers }: Request): boolean {
  return headers.get("sec-fetch-mode") === "navigate" &&
    headers.get("sec-fetch-dest") === "document";
}

/** Nobody reads it: browsers show it to no page of another site. */
export function uncalledForAnswer(): Response {
  return respond("Pages of other sites can't ask for this.\n", {
    status: 403,
    headers: {
      "content-type": "text/plain; charset=utf-8",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    },
  });
}
