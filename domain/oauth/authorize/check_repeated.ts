import { type Asked, oauthError } from "./check.ts";
import type { OauthError } from "../oauth_error.ts";

/** The one parameter that may be repeated (RFC 8707 §2). */
const MAY_BE_REPEATED = "resource";

/** Refuses a parameter that is sent twice (OAuth 2.1 §3.1). */
export function checkRepeated({ parameters }: Asked): OauthError | null {
  const [name] = [...parameters.repeated]
    .filter((each) => each !== MAY_BE_REPEATED);
  return name === undefined
    ? null
    : oauthError("invalid_request", "A parameter is repeated");
}
