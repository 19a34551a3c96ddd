import { refuse } from "../refusal.ts";
import type { Rejection } from "./creative.ts";
import type { FieldProblem } from "./creative_refusal.ts";
import { parsePolicyId, POLICIES } from "./policies.ts";
import { textSentence } from "../text/text_problem.ts";
import { plainText, textProblem } from "../text/text_problem.ts";

/** How long a reviewer's message and remedy may be, in code points. */
export const REVIEW_TEXT = { min: 0, max: 500 };

/** A rejection as a reviewer typed it; empty texts stand for the policy's. */
export interface RejectionText {
  policyId: string;
  message: string;
  remedy: string;
}

/**
 * A rejection by a policy. Advertisers and their agents read it, so what the
 * reviewer writes is plain text as copy is.
 *
 * @throws {Refused} `creative_refused` with what is wrong
 */
export function readRejection(typed: RejectionText): Rejection {
  const policyId = parsePolicyId(typed.policyId);
  const message = plainText(typed.message, REVIEW_TEXT);
  const remedy = plainText(typed.remedy, REVIEW_TEXT);
  const problems: FieldProblem[] = [];
  if (policyId === null) {
    const said = "Choose one of the published policies.";
    problems.push({ field: "policy_id", code: "unknown", message: said });
  }
  for (const [field, text] of Object.entries({ message, remedy })) {
    const code = textProblem(text, REVIEW_TEXT);
    if (code === null) continue;
    problems.push({ field, code, message: textSentence(code, REVIEW_TEXT) });
  }
  if (policyId === null || problems.length > 0) {
    refuse({ code: "creative_refused", why: { kind: "bad_copy", problems } });
  }
  const policy = POLICIES[policyId];
  return {
    policyId,
    message: message || policy.message,
    remedy: remedy || policy.remedy,
  };
}
