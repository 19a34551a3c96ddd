/**
 * Stand-in for `@std/http`: the same names and meanings over web standards.
 *
 * @module
 */

/** The HTTP status codes this project names. */
export const STATUS_CODE = {
  OK: 200,
  Created: 201,
  Accepted: 202,
  NoContent: 204,
  Found: 302,
  SeeOther: 303,
  NotModified: 304,
  BadRequest: 400,
  Unauthorized: 401,
  PaymentRequired: 402,
  Forbidden: 403,
  NotFound: 404,
  MethodNotAllowed: 405,
  Conflict: 409,
  ContentTooLarge: 413,
  UnsupportedMediaType: 415,
  MisdirectedRequest: 421,
  TooManyRequests: 429,
  InternalServerError: 500,
  ServiceUnavailable: 503,
} as const;

/** One of the status codes this project names. */
export type StatusCode = typeof STATUS_CODE[keyof typeof STATUS_CODE];

/** The standard reason phrases of those codes (RFC 9110 §15). */
export const STATUS_TEXT: Readonly<Record<StatusCode, string>> = {
  200: "OK",
  201: "Created",
  202: "Accepted",
  204: "No Content",
  302: "Found",
  303: "See Other",
  304: "Not Modified",
  400: "Bad Request",
  401: "Unauthorized",
  402: "Payment Required",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  409: "Conflict",
  413: "Content Too Large",
  415: "Unsupported Media Type",
  421: "Misdirected Request",
  429: "Too Many Requests",
  500: "Internal Server Error",
  503: "Service Unavailable",
};
