import { parseScopes } from "../scope_list.ts";
import type { OauthError } from "../oauth_error.ts";
import { type Asked, oauthError } from "./check.ts";

/** Every scope that is asked for has to be known (OAuth 2.1 §4.1.2.1). */
export function checkScope({ parameters }: Asked): OauthError | null {
  const scope = parameters.get("scope");
  return scope === null || parseScopes(scope) !== null
    ? null
    : oauthError("invalid_scope", "A scope is not known");
}
