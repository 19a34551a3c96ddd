import { PAGES } from "../../../domain/pages.ts";
import type { Html } from "../../pages/html.ts";
import { showEuros } from "../../../domain/text/euros.ts";
import { Button, Form, Hidden } from "../pages/forms.tsx";
import { Page } from "../pages/page.tsx";
import type { PartnerView } from "./partner_view.ts";

/** Says what a payout is of, and asks once. */
export function AskPayoutPage(
  { view: { balance }, token }: { view: PartnerView; token: string },
): Html {
  return (
    <Page title="Ask for a payout?">
      <p>
        Up to <strong>{showEuros(Math.max(0, balance.payableCents))}</strong>
        {" "}
        is sent to your account at the payment processor. If commission is being
        taken back just now, that part waits for your next total.
      </p>
      <Form action={`${PAGES.partner}/payouts`}>
        <Hidden name="token" value={token} />
        <Button autofocus>Ask for the payout</Button>
      </Form>
      <p>
        <a href={PAGES.partner}>Leave it for now</a>
      </p>
    </Page>
  );
}
