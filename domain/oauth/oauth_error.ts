/** The errors of OAuth 2.1, RFC 7591, RFC 8707 and RFC 9101 that are used. */
export type OauthErrorCode =
  | "invalid_request"
  | "invalid_client"
  | "invalid_grant"
  | "unsupported_grant_type"
  | "invalid_scope"
  | "invalid_target"
  | "invalid_redirect_uri"
  | "invalid_client_metadata"
  | "unsupported_response_type"
  | "access_denied"
  | "request_not_supported"
  | "request_uri_not_supported";

/** An error of the protocol with a description a developer can use. */
export interface OauthError {
  error: OauthErrorCode;
  /** ASCII without quotes and backslashes (RFC 6749 §5.2). */
  description: string;
}
