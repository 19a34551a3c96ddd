import { parseScopes, unknownScope } from "../scope_list.ts";
import type { OauthError } from "../oauth_error.ts";
import { type Asked, oauthError } from "./check.ts";

/**
 * What may be repeated in a description: the characters of a scope (RFC 6749
 * §3.3), which a description may hold as well, and few of them.
 */
const TELLABLE = /^[!#-[\]-~]{1,64}$/;

/** Every scope that is asked for has to be known (OAuth 2.1 §4.1.2.1). */
export function checkScope({ parameters }: Asked): OauthError | null {
  const scope = parameters.get("scope");
  if (scope === null || parseScopes(scope) !== null) return null;
  const unknown = unknownScope(scope);
  return oauthError(
    "invalid_scope",
    unknown !== null && TELLABLE.test(unknown)
      ? `The scope ${unknown} is not known`
      : "A scope is not known",
  );
}
