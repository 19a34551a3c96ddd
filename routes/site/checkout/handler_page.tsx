import { ACP_VERSION } from "../../../domain/checkout/acp_error.ts";
import {
  HANDLER_ID,
  HANDLER_PATHS,
} from "../../../domain/checkout/payment_handler.ts";
import { CHECKOUT_PATH } from "../../../domain/checkout/session_body.ts";
import type { Settings } from "../../../domain/ports.ts";
import { type Route, route } from "../../route_table.ts";
import type { Html } from "../../pages/html.ts";
import { Layout } from "../../pages/layout.tsx";
import { SharedPage, sharedPageAnswer } from "../../pages/page_answer.ts";

type Address = Pick<Settings, "baseUrl">;

/** The specification of the payment handler, which every session names. */
export function handlerPage({ baseUrl }: Address): Route {
  const page = new SharedPage(<HandlerSpec baseUrl={baseUrl} />);
  return route(
    "GET",
    HANDLER_PATHS.spec,
    (context) => sharedPageAnswer(context, page),
  );
}

function HandlerSpec({ baseUrl }: Address): Html {
  const complete = `${CHECKOUT_PATH}/{checkout_session_id}/complete`;
  return (
    <Layout
      title={`Payment handler ${HANDLER_ID} – Spotlight`}
      description="How a checkout session is paid with a shared payment token, and what follows."
      canonicalUrl={`${baseUrl}${HANDLER_PATHS.spec}`}
    >
      <h1>Payment handler {HANDLER_ID}</h1>
      <p>
        Pays a checkout session of {baseUrl}{" "}
        with a shared payment token for a card. Its name is
        dev.acp.tokenized.card, version 2026-01-22, as used by the Agentic
        Commerce Protocol {ACP_VERSION}.
      </p>
      <h2>Get a token</h2>
      <p>
        Ask the buyer. Then have your payment provider grant a shared payment
        token to the seller: the profile that the session names as merchant_id
        in the handler's config. One payment is EUR 1, so a limit of 100 cents
        in eur is enough. No card number is ever sent here.{" "}
        <a href={`${baseUrl}/developers/checkout#pay-and-read-the-report`}>
          Every request of a purchase
        </a>{" "}
        is in the documentation, and where tokens come from in development.
      </p>
      <h2>Hand it over</h2>
      <p>
        Send it once, to <code>POST {complete}</code>, as this instrument:
      </p>
      <p>
        <code>
          {`{"payment_data": {"handler_id": "${HANDLER_ID}", "instrument": {"type": "card", "credential": {"type": "spt", "token": "spt_…"}}}}`}
        </code>
      </p>
      <p>
        The token is charged at once. It is in no answer and is not kept; what
        is kept is a hash of it.
      </p>
      <h2>What follows</h2>
      <ul>
        <li>
          Paid: the session is completed and has an order, whose address is
          where the report is.
        </li>
        <li>
          Declined: the session waits for payment again and has the message
          payment_declined. Use another token, with a new Idempotency-Key.
        </li>
        <li>
          The buyer would have to authenticate: 409 requires_3ds. Nothing is
          charged; use a token that needs no authentication.
        </li>
        <li>
          Uncertain: 503. Repeat the very same request, with the same
          Idempotency-Key, until it is answered. Never start another payment.
        </li>
      </ul>
      <Schemas baseUrl={baseUrl} />
    </Layout>
  );
}

function Schemas({ baseUrl }: Address) {
  return (
    <>
      <h2>Schemas</h2>
      <ul>
        <li>
          <a href={`${baseUrl}${HANDLER_PATHS.configSchema}`}>Configuration</a>
        </li>
        <li>
          <a href={`${baseUrl}${HANDLER_PATHS.instrumentSchema}`}>Instrument</a>
        </li>
        <li>
          <a href={`${baseUrl}/developers.md`}>
            Documentation for developers
          </a>
        </li>
      </ul>
    </>
  );
}
