import type { Settings } from "../ports.ts";
import type { AuthorizationRequest } from "./authorization_request.ts";
import type { OauthError } from "./oauth_error.ts";

/**
 * The address that the browser is sent to: the client's own, its query kept,
 * with the response, `state` as it came and `iss` (RFC 9207). Never logged.
 */
export function responseAddress(
  settings: Pick<Settings, "authUrl">,
  request: Pick<AuthorizationRequest, "redirectUri" | "state">,
  response: { code: string } | OauthError,
): string {
  const { redirectUri, state } = request;
  const parts = "code" in response ? [`code=${response.code}`] : [
    `error=${response.error}`,
    `error_description=${encodeURIComponent(response.description)}`,
  ];
  if (state !== null) parts.push(`state=${state}`);
  parts.push(`iss=${encodeURIComponent(settings.authUrl)}`);
  const separator = !redirectUri.includes("?")
    ? "?"
    : /[?&]$/.test(redirectUri)
    ? ""
    : "&";
  return `${redirectUri}${separator}${parts.join("&")}`;
}
