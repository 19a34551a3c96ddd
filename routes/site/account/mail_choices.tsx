import type { Account } from "../../../domain/accounts/account.ts";
import {
  type MailChoices,
  wantsMail,
} from "../../../domain/accounts/mail_choices.ts";
import {
  MAIL_CHOICES,
  MUTABLE_MAILS,
} from "../../../domain/mail/mail_kinds.ts";
import type { Form as FormBody } from "../../http/form_body.ts";
import { Button, Form, Tick } from "../pages/forms.tsx";
import type { Html } from "../../pages/html.ts";

/** Which mails the owner wants, wherever that was chosen. */
export function MailChoicesForm({ account }: { account: Account }): Html {
  return (
    <section>
      <h2>Mails to you</h2>
      <p>
        Mails about signing in, agents, money and bids that you won or that
        can’t win any more are always sent.
      </p>
      <Form action="/account/mails">
        {MUTABLE_MAILS.map((mail) => (
          <Tick name={mail} value="yes" checked={wantsMail(account, mail)}>
            {MAIL_CHOICES[mail]}
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
