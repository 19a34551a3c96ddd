/**
 * The page on which the owner of an account says who they are and where they
 * are paid.
 *
 * @module
 */

import type { Call } from "../call.ts";
import { type AccountTurn, turnAccount } from "../connect.ts";
import type { HostedPage } from "../objects.ts";
import type { WireAnswer } from "../wire.ts";
import { linkTo, page, seeOther } from "./html.ts";

const TURNS: Readonly<Record<string, AccountTurn>> = {
  complete: "complete",
  in_review: "in_review",
  reject: "rejected",
};

/** Shows the choices; an address of no more use leads to where one is made anew. */
export function showOnboarding(
  call: Call,
  { expires_at, return_url, refresh_url }: HostedPage,
): WireAnswer {
  if (expires_at > call.now) {
    const leave = linkTo(return_url, "Leave and go on later");
    return page(200, "Get paid", FORM + leave);
  }
  return refresh_url === undefined
    ? page(410, "This page has expired", "")
    : seeOther(refresh_url);
}

/** Takes what the owner gave; the address is of no more use then. */
export function actOnOnboarding(
  call: Call,
  hosted: HostedPage,
  form: URLSearchParams,
): WireAnswer {
  const { expires_at, subject, return_url } = hosted;
  const turn = TURNS[form.get("choice") ?? ""];
  if (expires_at <= call.now || turn === undefined) {
    return showOnboarding(call, hosted);
  }
  turnAccount(call, call.get("account", subject), turn);
  if (return_url !== null) return seeOther(return_url);
  return page(200, "Thank you", "<p>You may close this page.</p>");
}

const FORM = `<form method="post">
<label for="name">Your name</label>
<input id="name" name="name" maxlength="100" autocomplete="off"
 placeholder="Any name: nothing is kept">
<label for="iban">IBAN</label>
<input id="iban" name="iban" maxlength="40" autocomplete="off"
 placeholder="Any number: nothing is kept">
<button name="choice" value="complete">Agree and finish</button>
<button name="choice" value="in_review">Finish, checked later</button>
<button name="choice" value="reject">Finish, be refused</button>
</form>
`;
