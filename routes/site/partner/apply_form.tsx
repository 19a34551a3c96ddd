import { PITCH_TEXT } from "../../../domain/partners/apply.ts";
import { PAGES } from "../../../domain/pages.ts";
import type { Html } from "../../pages/html.ts";
import { Button, Form, TextArea, Tick } from "../pages/forms.tsx";
import type { PartnerForm } from "./partner_form.ts";

/** What the programme is, in a few lines. */
export function Programme(): Html {
  return (
    <>
      <p class="lead">
        Recommend Spotlight, and earn 10 % of what those you bring pay for their
        days in the first 12 months.
      </p>
      <ul>
        <li>You need no company, VAT id or card here.</li>
        <li>
          Commission is payable 30 days after the end of its month, from EUR
          50.00 on, by a transfer of the payment processor.
        </li>
        <li>What an advertiser gets back is taken back from you as well.</li>
        <li>
          Bids are sealed: you see totals of several invoices, never one of
          them, and those you bring are told so.
        </li>
      </ul>
    </>
  );
}

/** Asks to be a partner. */
export function ApplyForm({ typed, errors }: PartnerForm): Html {
  return (
    <section>
      <h2>Become a partner</h2>
      <Form action={`${PAGES.partner}/apply`}>
        <TextArea
          name="pitch"
          label="Where would you recommend Spotlight?"
          hint="Your site, newsletter or channel, and who reads it. An operator reads this."
          value={typed.pitch}
          error={errors.pitch ?? null}
          counted={PITCH_TEXT.max}
          required
        />
        <Tick
          name="terms"
          value="yes"
          checked={typed.terms}
          error={errors.terms ?? null}
        >
          I accept the{" "}
          <a href="/affiliate#terms" target="_blank">
            terms of the programme
          </a>
        </Tick>
        <Button>Ask to be a partner</Button>
      </Form>
    </section>
  );
}
