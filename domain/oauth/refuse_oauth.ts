import { refuse } from "../refusal.ts";
import type { OauthErrorCode } from "./oauth_error.ts";

/** Ends the verb with an error of the protocol. */
export function refuseOauth(
  error: OauthErrorCode,
  description: string,
): never {
  refuse({ code: "oauth_error", error, description });
}

/** The one answer to every code or refresh token that is not good. */
export function refuseGrant(): never {
  refuseOauth(
    "invalid_grant",
    "The code or refresh token is expired, revoked, used or unknown, or " +
      "does not belong to this client and request: ask the user to connect " +
      "this agent again",
  );
}

/** More than was granted is refused, and nothing is used up by asking. */
export function refuseTarget(): never {
  refuseOauth("invalid_target", "A resource was not granted");
}
