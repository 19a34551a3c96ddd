import { plainText, textProblem } from "../../text/text_problem.ts";

/** How long a client's name is, characters. */
const NAME = { min: 1, max: 100 };

/**
 * The name as it is shown; `null` for what is no name. Users decide by it and
 * their agents list it, so that it is plain: what is seen is all there is.
 */
export function parseClientName(value: unknown): string | null {
  if (typeof value !== "string") return null;
  const name = plainText(value.trim(), NAME);
  return textProblem(name, NAME) === null ? name : null;
}
