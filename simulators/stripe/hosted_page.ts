/**
 * Addresses of pages for people. Whoever knows one may use it.
 *
 * @module
 */

import type { Call } from "./call.ts";
import type { HostedPage } from "./objects.ts";

/** What the path of every hosted page begins with. */
export const HOSTED_PREFIX = "/hosted/";

/** Makes the address of a page. */
export function newHostedPage(
  call: Call,
  page: Omit<HostedPage, "id">,
): string {
  const { id } = call.put("hosted_page", {
    id: call.newSecret() + call.newSecret(),
    ...page,
  });
  return `${call.setting.baseUrl}${HOSTED_PREFIX}${id}`;
}

/** Ends the pages of an object: their addresses are of no more use. */
export function endHostedPages(call: Call, subject: string): void {
  for (const page of call.filed("hosted_page", "subject", subject)) {
    call.put("hosted_page", { ...page, expires_at: call.now });
  }
}
