import {
  REPORT_ALONE,
  REPORT_TEXT,
} from "../../../domain/ad_reports/report_ad.ts";
import { parsePolicyId } from "../../../domain/creatives/policies.ts";
import { textSentence } from "../../../domain/text/text_problem.ts";
import type { TextProblem } from "../../../domain/text/text_problem.ts";

/** What is wrong with a report's words, in a sentence for the reader. */
export function reportSentence(problem: TextProblem, policyId: string): string {
  if (problem === "missing") {
    return "Choose what is wrong, or write it here in a sentence.";
  }
  const alone = parsePolicyId(policyId) === null;
  return textSentence(problem, alone ? REPORT_ALONE : REPORT_TEXT);
}
