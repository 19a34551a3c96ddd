/**
 * The billing portal: a customer's cards, and taking them away.
 *
 * @module
 */

import type { Call } from "../call.ts";
import type { HostedPage, PaymentMethod } from "../objects.ts";
import { detach } from "../resources/payment_methods.ts";
import type { WireAnswer } from "../wire.ts";
import { escape, linkTo, page } from "./html.ts";

/** A visitor who does nothing for so long is let out. */
const IDLE_S = 60 * 60;

/** Lists the cards. */
export function showPortal(call: Call, hosted: HostedPage): WireAnswer {
  const { subject, return_url, expires_at } = hosted;
  const customer = call.find("customer", subject);
  const back = linkTo(return_url, "Return to the seller");
  if (expires_at <= call.now || customer === undefined) {
    return page(410, "This page has expired", back);
  }
  call.put("hosted_page", { ...hosted, expires_at: call.now + IDLE_S });
  const cards = call.filed("payment_method", "customer", subject);
  const list = cards.length === 0
    ? "<p>No cards are saved.</p>"
    : `<ul>${cards.map(item).join("")}</ul>`;
  return page(200, "Your cards", list + back);
}

/** Takes a card away. */
export function actOnPortal(
  call: Call,
  hosted: HostedPage,
  form: URLSearchParams,
): WireAnswer {
  const method = call.find("payment_method", form.get("remove") ?? "");
  const isTheirs = method?.customer === hosted.subject;
  if (isTheirs && hosted.expires_at > call.now) detach(call, method.id);
  return showPortal(call, hosted);
}

function item({ id, card }: PaymentMethod): string {
  const name = `${card.brand} ending in ${card.last4}`;
  const expiry = `${card.exp_month}/${card.exp_year}`;
  return `<li>${escape(name)}, expires ${expiry}
<form method="post">
<button name="remove" value="${escape(id)}">Remove ${escape(name)}</button>
</form></li>
`;
}
