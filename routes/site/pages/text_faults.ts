import {
  plainText,
  type TextBounds,
  textProblem,
  textSentence,
} from "../../../domain/text/text_problem.ts";

/**
 * What is wrong with the texts of a form, in a sentence each: the verb that is
 * called next would refuse the first of them alone, without its name.
 *
 * @param typed the texts, by the names of their fields
 * @returns nothing of texts that are fine
 */
export function textFaults<Name extends string>(
  typed: Readonly<Record<Name, string>>,
  bounds: Readonly<Record<Name, TextBounds>>,
): Partial<Record<Name, string>> {
  const faults: Partial<Record<Name, string>> = {};
  for (const name of Object.keys(bounds) as Name[]) {
    const problem = textProblem(
      plainText(typed[name], bounds[name]),
      bounds[name],
    );
    if (problem !== null) faults[name] = textSentence(problem, bounds[name]);
  }
  return faults;
}

/** Whether anything is wrong with a form. */
export function isFaulty(faults: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(faults).length > 0;
}
