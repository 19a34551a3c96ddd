/**
 * What a page says was done before it. The answer to a form leads to an address
 * that names it, sealed for the browser's stay, for that page and for some
 * minutes: an address that a browser completes, restores or is sent by somebody
 * claims nothing. Decision 0060 says why.
 *
 * @module
 */
import { MINUTE_MS } from "../../../domain/day.ts";
import type { Services } from "../../../domain/ports.ts";
import type { Session } from "../../../domain/sessions/session.ts";
import { pathOf } from "../../hosts.ts";
import { isSameText } from "../../http/same_text.ts";
import { seeOther } from "../../middleware/session.ts";
import type { PageRequest } from "./advertiser_page.ts";

/** How long an address says it: until it was read, and loaded again at once. */
const SAID_FOR_MS = 5 * MINUTE_MS;
/** 96 bits, which nobody guesses in minutes; the address stays short. */
const MAC_LENGTH = 16;
/** The name, the second in base 36, and the seal. */
const SHAPE = /^([a-z_-]{1,40})\.([0-9a-z]{1,9})\.([A-Za-z0-9_-]{16})$/;

/** Something that was done, and the page that says so. */
export interface DoneAt {
  path: string;
  /** By the name under which the page has a sentence for it. */
  done: string;
  /** The part of the page that it is about. */
  part?: string;
}

/** Whose browser is told, and what its addresses are sealed with. */
export interface Told {
  services: Pick<Services, "keys" | "clock">;
  signedIn: { session: Pick<Session, "bindingId"> };
}

/** 303 to the page that says what was done. */
export function sayDone(told: Told, at: DoneAt): Response {
  return seeOther(doneAddress(told, at));
}

/** The address of that page, which says it in this browser only. */
export function doneAddress(told: Told, { path, done, part }: DoneAt): string {
  const { keys, clock } = told.services;
  const second = Math.floor(clock.now() / 1_000).toString(36);
  const mac = macOf(told, { path, done, second }, keys.currentId);
  const hash = part === undefined ? "" : `#${part}`;
  return `${path}?done=${done}.${second}.${mac}${hash}`;
}

/** What was done, by the query `done`; null for what we did not just seal. */
export function doneOf(
  request: Told & Pick<PageRequest, "query" | "context">,
): string | null {
  const [, done, second, mac] = SHAPE.exec(request.query("done") ?? "") ?? [];
  if (done === undefined || second === undefined || mac === undefined) {
    return null;
  }
  const { keys, clock } = request.services;
  const ageMs = clock.now() - parseInt(second, 36) * 1_000;
  // Another process may be ahead by some seconds.
  if (Math.abs(ageMs) > SAID_FOR_MS) return null;
  const said = { path: pathOf(request.context.req.raw), done, second };
  const isOurs = keys.ids.some((keyId) => {
    const expected = macOf(request, said, keyId);
    return expected !== null && isSameText(expected, mac);
  });
  return isOurs ? done : null;
}

/**
 * The sentence that a page has for what was done; null for none, and for what
 * is said by an address that holds no longer, or never did.
 */
export function doneNote(
  request: Parameters<typeof doneOf>[0],
  notes: Readonly<Record<string, string>>,
): string | null {
  const done = doneOf(request);
  return done !== null && Object.hasOwn(notes, done)
    ? notes[done] ?? null
    : null;
}

function macOf(
  { services: { keys }, signedIn: { session } }: Told,
  { path, done, second }: { path: string; done: string; second: string },
  keyId: string,
): string | null {
  const text = JSON.stringify([session.bindingId, path, done, second]);
  return keys.mac("done-note", text, keyId)?.slice(0, MAC_LENGTH) ?? null;
}
