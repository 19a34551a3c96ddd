import { refuse } from "../refusal.ts";
import type { Rejection } from "./creative.ts";
import type { FieldProblem } from "./creative_refusal.ts";
import { parsePolicyId, POLICIES } from "./policies.ts";
import { textSentence } from "../text/text_problem.ts";
import { plainText, textProblem } from "../text/text_problem.ts";

/**
 * How long a reviewer's texts may be, in code points. The message is a sentence
 * about this very creative, which nobody else can write.
 */
export const REVIEW_TEXTS = {
  message: { min: 10, max: 500 },
  remedy: { min: 0, max: 500 },
};

/** A rejection as a reviewer typed it. */
export interface RejectionText {
  policyId: string;
  message: string;
  /** Empty for the policy's. */
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
  const message = plainText(typed.message, REVIEW_TEXTS.message);
  const remedy = plainText(typed.remedy, REVIEW_TEXTS.remedy);
  const problems: FieldProblem[] = [];
  if (policyId === null) {
    const said = "Choose one of the published policies.";
    problems.push({ field: "policy_id", code: "unknown", message: said });
  }
  for (const [field, text] of Object.entries({ message, remedy })) {
    const bounds = REVIEW_TEXTS[field as keyof typeof REVIEW_TEXTS];
    const code = textProblem(text, bounds);
    if (code === null) continue;
    problems.push({ field, code, message: textSentence(code, bounds) });
  }
  if (policyId === null || problems.length > 0) {
    refuse({ code: "creative_refused", why: { kind: "bad_copy", problems } });
  }
  return { policyId, message, remedy: remedy || POLICIES[policyId].remedy };
}

/** A rejection as the audit says it: by which policy, and the message. */
export function rejectionReason({ policyId, message }: RejectionText): string {
  return `${policyId}: ${message.trim()}`;
}
