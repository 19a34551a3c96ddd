import type { Account } from "../../../domain/accounts/account.ts";
import {
  type MailChoices,
  wantsMail,
} from "../../../domain/accounts/mail_choices.ts";
import {
  MAIL_CHOICES,
  MAILS,
  MUTABLE_MAILS,
} from "../../../domain/mail/mail_kinds.ts";
import { PAGES } from "../../../domain/pages.ts";
import type { Form as FormBody } from "../../http/form_body.ts";
import { Button, Form, Tick } from "../pages/forms.tsx";
import type { Html } from "../../pages/html.ts";

/** Which mails the owner wants, wherever that was chosen. */
export function MailChoicesForm({ account }: { account: Account }): Html {
  return (
    <section id="mails">
      <h2>Mails</h2>
      <Form action={`${PAGES.settings}/mails`}>
        {MUTABLE_MAILS.map((mail) => (
          <Tick name={mail} value="yes" checked={wantsMail(account, mail)}>
            {MAIL_CHOICES[mail]}
          </Tick>
        ))}
        <Button kind="plain">Save choices</Button>
      </Form>
      <details>
        <summary>Mails that always come</summary>
        <p>
          They are about access, money or a bid. You get one when:
        </p>
        <ul>
          {ALWAYS.map((when) => <li>{when}</li>)}
        </ul>
      </details>
    </section>
  );
}

const ALWAYS = Object.values(MAILS).filter(({ choice }) => choice === null)
  .map(({ when }) => when);

/** What was ticked; browsers leave out what was not. */
export function readMailChoices(form: FormBody): MailChoices {
  return Object.fromEntries(
    MUTABLE_MAILS.map((mail) => [mail, form.text(mail) === "yes"]),
  );
}
