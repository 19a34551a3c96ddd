/**
 * The page on which a person's identity is checked.
 *
 * @module
 */

import type { Call } from "../call.ts";
import {
  cancelVerification,
  currentVerification,
  decideVerification,
  IDENTITY_ERRORS,
  type IdentityError,
  returnUrlOf,
  submitVerification,
} from "../identity.ts";
import type { HostedPage } from "../objects.ts";
import type { WireAnswer } from "../wire.ts";
import { linkTo, page, seeOther, select } from "./html.ts";

/** Shows the choices, as long as the address was not used. */
export function showIdentity(
  call: Call,
  { expires_at, return_url }: HostedPage,
): WireAnswer {
  if (expires_at <= call.now) {
    const back = linkTo(return_url, "Return to the seller");
    return page(410, "This address was used or has expired", back);
  }
  return page(200, "Verify your identity", FORM + linkTo(return_url, "Leave"));
}

/** Takes what the person chose; the address is of no more use then. */
export function actOnIdentity(
  call: Call,
  hosted: HostedPage,
  form: URLSearchParams,
): WireAnswer {
  const choice = form.get("choice");
  if (hosted.expires_at <= call.now || choice === null) {
    return showIdentity(call, hosted);
  }
  const session = currentVerification(call, hosted.subject);
  if (choice === "cancel") {
    cancelVerification(call, session);
  } else {
    const submitted = submitVerification(call, session);
    const error = form.get("error") ?? "";
    if (choice === "verify") decideVerification(call, submitted, "verified");
    if (choice === "fail") {
      const known = isError(error) ? error : "document_unverified_other";
      decideVerification(call, submitted, known);
    }
  }
  const back = returnUrlOf(call, session);
  if (back !== null) return seeOther(back);
  return page(200, "Thank you", "<p>You may close this page.</p>");
}

function isError(name: string): name is IdentityError {
  return Object.hasOwn(IDENTITY_ERRORS, name);
}

const FORM = `<form method="post">
<button name="choice" value="verify">Verify</button>
<button name="choice" value="process">Hand in, leave in processing</button>
${
  select(
    "error",
    "Why it fails",
    Object.entries(IDENTITY_ERRORS).map(([name, text]) =>
      [name, `${name}: ${text}`] as const
    ),
  )
}
<button name="choice" value="fail">Fail</button>
<button name="choice" value="cancel">Cancel the check</button>
</form>
`;
