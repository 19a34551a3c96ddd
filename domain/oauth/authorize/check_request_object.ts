import type { OauthError } from "../oauth_error.ts";
import { type Asked, oauthError } from "./check.ts";

/** Request objects, by value or by address, are not supported (RFC 9101 §6). */
export function checkRequestObject({ parameters }: Asked): OauthError | null {
  if (parameters.get("request") !== null) {
    return oauthError(
      "request_not_supported",
      "Request objects are not supported",
    );
  }
  return parameters.get("request_uri") === null ? null : oauthError(
    "request_uri_not_supported",
    "Request objects by reference are not supported",
  );
}
