import type { Settings } from "../../ports.ts";
import type { OauthError, OauthErrorCode } from "../oauth_error.ts";
import type { Parameters } from "../parameters.ts";

/** What every rule of the authorization request is given. */
export interface Asked {
  parameters: Parameters;
  settings: Settings;
}

/** One rule: the error that the client is told, or null. */
export type AuthorizationCheck = (asked: Asked) => OauthError | null;

/** Writes an error down. */
export function oauthError(
  error: OauthErrorCode,
  description: string,
): OauthError {
  return { error, description };
}
