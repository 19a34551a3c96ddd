import type { OauthError } from "../oauth_error.ts";
import { type Asked, oauthError } from "./check.ts";

/** Only the code flow, answered in the query (OAuth 2.1 §4.1.1). */
export function checkResponseType({ parameters }: Asked): OauthError | null {
  const type = parameters.get("response_type");
  if (type === null) {
    return oauthError("invalid_request", "response_type is required");
  }
  if (type !== "code") {
    return oauthError(
      "unsupported_response_type",
      "The only response_type is code",
    );
  }
  const mode = parameters.get("response_mode") ?? "query";
  return mode === "query"
    ? null
    : oauthError("invalid_request", "The only response_mode is query");
}
