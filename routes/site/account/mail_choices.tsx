import {
  type Account,
  MUTABLE_MAILS,
  type MutableMail,
} from "../../../domain/accounts/account.ts";
import {
  type MailChoices,
  wantsMail,
} from "../../../domain/accounts/mail_choices.ts";
import type { Form as FormBody } from "../../http/form_body.ts";
import { Button, Form, Tick } from "../pages/forms.tsx";
import type { Html } from "../../pages/html.ts";

const LABELS: Readonly<Record<MutableMail, string>> = {
  review: "What was decided about an advertisement of mine",
  card_expiry: "My card soon expires",
};

/** Which mails the owner wants, wherever that was chosen. */
export function MailChoicesForm({ account }: { account: Account }): Html {
  return (
    <section>
      <h2>Mails to you</h2>
      <p>
        Mails about signing in, money and bids that are lost are always sent.
      </p>
      <Form action="/account/mails">
        {MUTABLE_MAILS.map((mail) => (
          <Tick name={mail} value="yes" checked={wantsMail(account, mail)}>
            {LABELS[mail]}
          </Tick>
        ))}
        <Button kind="plain">Save choices</Button>
      </Form>
    </section>
  );
}

/** What was ticked; browsers leave out what was not. */
export function readMailChoices(form: FormBody): MailChoices {
  return Object.fromEntries(
    MUTABLE_MAILS.map((mail) => [mail, form.text(mail) === "yes"]),
  );
}
