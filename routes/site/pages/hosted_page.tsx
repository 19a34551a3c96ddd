import {
  ProcessorRefused,
  ProcessorUncertain,
  StoreOnHold,
} from "../../../domain/failure.ts";
import { ON_HOLD_TEXT } from "../../errors/page_problems.ts";
import { seeElsewhere, seeOther } from "../../middleware/session.ts";
import type { PageRequest } from "./advertiser_page.ts";
import { type DoneAt, sayDone } from "./done_note.ts";
import { OnwardPage } from "./page.tsx";

/**
 * Leads to a page of the processor's: 303, or a page that goes there by itself
 * where our form's policy does not name its origin, such as an address of our
 * own that the processor serves.
 */
export function leadTo(
  { hostedPages, show }: PageRequest,
  url: string,
): Response {
  if (hostedPages.includes(new URL(url).origin)) return seeElsewhere(url);
  return show(
    <OnwardPage title="To our payment provider" url={url}>
      If nothing happens, go on yourself.
    </OnwardPage>,
  );
}

/**
 * Syncs what was done on the processor's page and leads to a page of ours, which
 * says so: what `sync` answers, `unsure` where the processor could not be asked,
 * nothing for null.
 *
 * @param onward where it leads instead; null for nowhere
 */
export async function comeBackTo(
  request: PageRequest,
  path: string,
  sync: () => Promise<string | null>,
  onward: (done: string | null) => Promise<DoneAt | null> = () =>
    Promise.resolve(null),
): Promise<Response> {
  try {
    const done = await sync();
    const at = await onward(done) ?? (done === null ? null : { path, done });
    return at === null ? seeOther(path) : sayDone(request, at);
  } catch (thrown) {
    if (notNow(thrown) === null) throw thrown;
    return sayDone(request, { path, done: "unsure" });
  }
}

/** What is said on a page that could not do what it was asked. */
export interface InTheWay {
  error: string;
  status: number;
  headers: Readonly<Record<string, string>>;
}

/** The same for an account that began too many pages; `error` says so. */
export function tooOften(retryAfterS: number, error: string): InTheWay {
  const headers = { "retry-after": String(retryAfterS) };
  return { error, status: 429, headers };
}

/** The same for a processor that can't be asked now; null for anything else. */
export function notNow(thrown: unknown): InTheWay | null {
  const isProcessor = thrown instanceof ProcessorUncertain ||
    thrown instanceof ProcessorRefused;
  if (!isProcessor) return null;
  const headers = { "retry-after": String(Math.max(60, thrown.retryAfterS)) };
  if (thrown instanceof StoreOnHold) {
    return { error: ON_HOLD_TEXT, status: 503, headers };
  }
  return {
    error: "Our payment provider can’t be reached right now. Nothing was " +
      "changed. Please try again in a minute.",
    status: 503,
    headers,
  };
}
