import { PAGE_ANSWERS } from "../../errors/page_surface.tsx";
import { requireOwnOrigin } from "../../middleware/origin.ts";
import {
  readSessionGate,
  requireSessionFor,
} from "../../middleware/session.ts";
import type { Gate, Route, Surface } from "../../route_table.ts";
import type { AdvertiserParts } from "../advertiser_parts.ts";

/** A page for who is signed in, with all that is done on it. */
export interface AdvertiserPage {
  /** Where it and what belongs to it lie; whoever signs in comes back here. */
  path: string;
  /** Passed by who is signed in. */
  proceed?: readonly Gate[];
  routes: readonly Route[];
}

/**
 * The surface of a page for who is signed in: a session is asked for, what
 * changes something comes from our own pages, and what goes wrong is said by
 * pages.
 */
export function advertiserPage(
  parts: AdvertiserParts,
  { path, proceed = [], routes }: AdvertiserPage,
): Surface {
  return {
    prefix: path,
    enter: [readSessionGate(parts)],
    proceed: [
      requireOwnOrigin(parts.services.settings.baseUrl),
      requireSessionFor(path),
      ...proceed,
    ],
    routes,
    answers: PAGE_ANSWERS,
  };
}
