import { PAGES } from "../../domain/pages.ts";
import type { AnswerContext } from "./answer_context.ts";

/**
 * What somebody is told whose grant lacks scopes: one sentence that an agent
 * can give its user as it is, since many can't ask for more by themselves. Its
 * characters are those of an `error_description` (RFC 6750 §3).
 */
export function scopesWanted(
  scopes: readonly string[],
  { settings: { baseUrl } }: Pick<AnswerContext, "settings">,
): string {
  return "Cannot do this: the user has not allowed " +
    `${scopes.join(" and ")}, so ask them to allow it to this agent at ` +
    `${baseUrl}${PAGES.agents}; then, or if they have since, refresh the ` +
    "token and try again";
}
