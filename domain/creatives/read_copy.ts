import type { Copy } from "./creative.ts";
import { readTargetUrl, type UrlProblem } from "./target_url.ts";
import {
  plainText,
  type TextBounds,
  type TextProblem,
  textProblem,
} from "../text/text_problem.ts";

/** How long a headline is, in code points (contract §7.9). */
export const HEADLINE: TextBounds = { min: 4, max: 60 };
/** How long a description is, in code points (contract §7.9). */
export const DESCRIPTION: TextBounds = { min: 10, max: 200 };

/** What is wrong with each part of a copy; a part that is fine is left out. */
export interface CopyProblems {
  headline?: TextProblem;
  description?: TextProblem;
  targetUrl?: UrlProblem;
}

/**
 * The one gate that all copy passes, from whichever surface: plain text and
 * nothing that can't be seen. What passes is kept as it was written, but for
 * NFC, white space at the ends, and the address, which is as browsers write it.
 * Decision 0190 says why.
 */
export function readCopy(typed: Copy):
  | { ok: true; copy: Copy }
  | { ok: false; problems: CopyProblems } {
  const headline = plainText(typed.headline, HEADLINE);
  const description = plainText(typed.description, DESCRIPTION);
  const target = readTargetUrl(typed.targetUrl);
  const problems = {
    headline: textProblem(headline, HEADLINE),
    description: textProblem(description, DESCRIPTION),
    targetUrl: target.ok ? null : target.problem,
  };
  if (target.ok && !problems.headline && !problems.description) {
    return { ok: true, copy: { headline, description, targetUrl: target.url } };
  }
  const named = Object.entries(problems).filter(([, problem]) => problem);
  return { ok: false, problems: Object.fromEntries(named) };
}
