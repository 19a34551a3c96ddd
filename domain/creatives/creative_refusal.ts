import type { Day } from "../day.ts";
import type { Copy, CreativeState } from "./creative.ts";
import { urlSentence } from "./target_url.ts";
import { textSentence } from "../text/text_problem.ts";
import { type CopyProblems, DESCRIPTION, HEADLINE } from "./read_copy.ts";

/** What is wrong with one member of a request, as EngineProblem lists it. */
export interface FieldProblem {
  /** The member's name on the wire. */
  field: string;
  code: string;
  message: string;
}

/** What somebody wanted to do with a creative. */
export type CreativeAction =
  | "update"
  | "submit"
  | "archive"
  | "approve"
  | "reject"
  | "withdraw the approval of";

/** Why nothing was done with a creative. */
export type CreativeRefusal =
  | { kind: "bad_copy"; problems: readonly FieldProblem[] }
  | {
    kind: "wrong_state";
    adId: string;
    action: CreativeAction;
    state: CreativeState;
  }
  /** Readers would see another name than the reviewer saw. */
  | { kind: "name_changed"; adId: string }
  /** Readers could not see whose advertisement it is. */
  | { kind: "no_advertiser"; adId: string }
  /** Bids of these days, not yet settled, stand on the creative. */
  | { kind: "live_bid"; adId: string; days: readonly Day[] }
  | { kind: "shelf_full"; bound: "kept" | "day"; most: number };

/** How each part of a copy is called on the wire. */
export const COPY_FIELDS: Readonly<Record<keyof Copy, string>> = {
  headline: "headline",
  description: "description",
  targetUrl: "target_url",
};

/** The problems of a copy, named as on the wire. */
export function fieldProblems(problems: CopyProblems): FieldProblem[] {
  const { headline, description, targetUrl } = problems;
  const found: FieldProblem[] = [];
  if (headline) {
    const message = textSentence(headline, HEADLINE);
    found.push({ field: COPY_FIELDS.headline, code: headline, message });
  }
  if (description) {
    const message = textSentence(description, DESCRIPTION);
    found.push({ field: COPY_FIELDS.description, code: description, message });
  }
  if (targetUrl) {
    const message = urlSentence(targetUrl);
    found.push({ field: COPY_FIELDS.targetUrl, code: targetUrl, message });
  }
  return found;
}
