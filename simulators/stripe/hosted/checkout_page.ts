/**
 * The page on which a payer saves a card.
 *
 * @module
 */

import type { Call } from "../call.ts";
import { cardByNumber, type NumberRefusal } from "../card_numbers.ts";
import { isBehaviour } from "../cards.ts";
import {
  authenticateCheckout,
  currentCheckout,
  payWithCard,
} from "../checkout.ts";
import type { CheckoutSession, HostedPage } from "../objects.ts";
import { newPaymentMethod } from "../payment_method.ts";
import type { WireAnswer } from "../wire.ts";
import { alert, linkTo, page, seeOther, select } from "./html.ts";

const CARDS = [
  ["visa", "Visa, always works"],
  ["mastercard", "Mastercard, always works"],
  ["de", "Visa of a German bank"],
  ["authenticationRequiredOnSetup", "Asks for authentication once, now"],
  ["authenticationRequired", "Asks for authentication always"],
  ["chargeCustomerFail", "Can be saved, declines every charge"],
  ["chargeDeclined", "Can not be saved"],
  ["chargeDeclinedExpiredCard", "Can not be saved: expired"],
  ["createDispute", "Disputes every charge"],
] as const;

const REFUSED_NUMBERS: Record<NumberRefusal, string> = {
  incorrect_number: "Your card number is incorrect.",
  test_mode_live_card: "Your card was declined. Your request was in test " +
    "mode, but used a non test card.",
};

/** Shows where a session stands. */
export function showCheckout(call: Call, { subject }: HostedPage): WireAnswer {
  return show(call, currentCheckout(call, subject), null);
}

/** Takes what the payer sent: a card, or the answer to the bank. */
export function actOnCheckout(
  call: Call,
  { subject }: HostedPage,
  form: URLSearchParams,
): WireAnswer {
  const session = currentCheckout(call, subject);
  if (session.status !== "open") return show(call, session, null);
  const intent = call.get("setup_intent", session.setup_intent);
  const isAsked = intent.status === "requires_action";
  const answer = form.get("authenticate");
  if (isAsked && answer !== null) {
    const how = answer === "succeed" ? "succeed" : "fail";
    return after(call, authenticateCheckout(call, session, how).id, session);
  }
  const chosen = chosenCard(form);
  if ("refusal" in chosen) return show(call, session, chosen.refusal);
  const method = newPaymentMethod(call, chosen.card);
  return after(call, payWithCard(call, session, method).id, session);
}

/** A number that was typed comes before what was chosen. */
function chosenCard(
  form: URLSearchParams,
): { card: string } | { refusal: string } {
  const typed = form.get("number")?.trim() ?? "";
  if (typed !== "") {
    const found = cardByNumber(typed);
    return "card" in found
      ? found
      : { refusal: REFUSED_NUMBERS[found.refusal] };
  }
  const card = form.get("card") ?? "";
  if (isBehaviour(card)) return { card };
  return { refusal: "Choose a test card or type a card number." };
}

function after(
  call: Call,
  intentId: string,
  { id }: CheckoutSession,
): WireAnswer {
  const session = call.get("checkout_session", id);
  const { last_setup_error } = call.get("setup_intent", intentId);
  return show(call, session, last_setup_error?.message ?? null);
}

function show(
  call: Call,
  session: CheckoutSession,
  refusal: string | null,
): WireAnswer {
  if (session.status === "complete") return seeOther(successUrl(session));
  if (session.status === "expired") {
    return page(
      410,
      "This page has expired",
      linkTo(session.cancel_url, "Return to the seller"),
    );
  }
  const { status } = call.get("setup_intent", session.setup_intent);
  const isAsked = status === "requires_action";
  return page(
    refusal === null ? 200 : 402,
    isAsked ? "Confirm with your bank" : "Save a card",
    alert(refusal) + (isAsked ? AUTHENTICATION : CARD_FORM) +
      linkTo(session.cancel_url, "Cancel and return"),
  );
}

/** The address with the session's id in place of `{CHECKOUT_SESSION_ID}`. */
function successUrl({ success_url, id }: CheckoutSession): string {
  return success_url.replaceAll("{CHECKOUT_SESSION_ID}", id);
}

const CARD_FORM = `<form method="post">
${select("card", "Test card", CARDS)}
<label for="number">Or a test card's number</label>
<input id="number" name="number" inputmode="numeric" maxlength="30"
 autocomplete="off" placeholder="4242 4242 4242 4242">
<button>Save card</button>
</form>
`;

const AUTHENTICATION = `<form method="post">
<p>Your bank wants to know that it is you.</p>
<button name="authenticate" value="succeed">Complete authentication</button>
<button name="authenticate" value="fail">Fail authentication</button>
</form>
`;
