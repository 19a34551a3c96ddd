import { refuseOauth } from "../../../domain/oauth/refuse_oauth.ts";
import {
  type Parameters,
  readParameters,
} from "../../../domain/oauth/parameters.ts";
import { type BodySource, readBody, utf8Text } from "../../http/body.ts";
import { PARAMETERS_MAX } from "../../http/query.ts";

/** Longest form of the authorization server. */
const FORM_MAX_BYTES = 16 * 1024;

const FORM_TYPE =
  /^application\/x-www-form-urlencoded *(; *charset="?utf-8"? *)?$/i;

/** The one parameter that may be repeated (RFC 8707 §2). */
const MAY_BE_REPEATED = "resource";

/**
 * Refuses another media type, before anything is read or counted.
 *
 * @throws {Refused} `oauth_error` `invalid_request`
 */
export function requireFormType({ req }: Pick<BodySource, "req">): void {
  const type = req.raw.headers.get("content-type") ?? "";
  if (!FORM_TYPE.test(type)) {
    invalid("The body must be application/x-www-form-urlencoded");
  }
}

/**
 * Reads the form of a token request (OAuth 2.1 §3.2), whose media type is known.
 *
 * @throws {Refused} `oauth_error` `invalid_request` for a longer body, what is
 * not UTF-8, and a repeated parameter
 */
export async function readForm(source: BodySource): Promise<Parameters> {
  const bytes = await readBody(source, FORM_MAX_BYTES);
  if (bytes === "too_long") {
    invalid(`The body must be of ${FORM_MAX_BYTES} bytes at most`);
  }
  if (bytes === "cut_off") invalid("The body must arrive whole");
  const text = utf8Text(bytes) ?? invalid("Not UTF-8");
  // Counted before they are decoded: one that is malformed takes 8 µs.
  if (text.split("&", PARAMETERS_MAX + 1).length > PARAMETERS_MAX) {
    invalid(`The body must have ${PARAMETERS_MAX} parameters at most`);
  }
  const form = readParameters(text);
  for (const name of form.repeated) {
    if (name !== MAY_BE_REPEATED) invalid("A parameter is repeated");
  }
  return form;
}

/**
 * A parameter that has to be there.
 *
 * @throws {Refused} `oauth_error` `invalid_request`
 */
export function required(form: Parameters, name: string): string {
  return form.get(name) ?? invalid(`${name} is required`);
}

function invalid(description: string): never {
  refuseOauth("invalid_request", description);
}
