import { refuse } from "../refusal.ts";
import {
  plainText,
  type TextBounds,
  textProblem,
  textSentence,
} from "./text_problem.ts";

/**
 * A typed text as it is kept: plain, and within its bounds.
 *
 * @param action what can't be done with another text, such as "Cannot name the
 * link": the refusal begins with it
 * @throws {Refused} `invalid_input`, with what to do about the text
 */
export function readText(
  typed: string,
  bounds: TextBounds,
  action: string,
): string {
  const text = plainText(typed, bounds);
  const problem = textProblem(text, bounds);
  if (problem === null) return text;
  const message = `${action}: ${textSentence(problem, bounds)}`;
  return refuse({ code: "invalid_input", message });
}
