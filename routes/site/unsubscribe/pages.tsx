import { UNSUBSCRIBE_PATH } from "../../../domain/accounts/unsubscribe_link.ts";
import {
  MAIL_CHOICES,
  type MutableMail,
} from "../../../domain/mail/mail_kinds.ts";
import { PAGES } from "../../../domain/pages.ts";
import type { Html } from "../../pages/html.ts";
import { Button, Form } from "../pages/forms.tsx";
import { Page } from "../pages/page.tsx";

/** Asks once more: whoever follows a link has not decided yet. */
export function UnsubscribePage(
  { choice, token }: { choice: MutableMail; token: string },
): Html {
  return (
    <Page title="Switch off a mail">
      <p>
        You want no more mails called “{MAIL_CHOICES[choice]}”? Mails about your
        sign-in, your money and bids that you won still come.
      </p>
      <Form action={`${UNSUBSCRIBE_PATH}/${token}`}>
        <Button>Switch it off</Button>
      </Form>
      <YourMails />
    </Page>
  );
}

/** What was done, and the way back. */
export function UnsubscribedPage({ choice }: { choice: MutableMail }): Html {
  return (
    <Page title="Switched off">
      <p>You get no more mails called “{MAIL_CHOICES[choice]}”.</p>
      <YourMails />
    </Page>
  );
}

/** For a link that is too old, cut off or nobody's. */
export function InvalidPage(): Html {
  return (
    <Page title="This link no longer works">
      <p>
        It may be older than a year, or your mail program may have cut it off.
        Nothing was changed.
      </p>
      <YourMails />
    </Page>
  );
}

function YourMails(): Html {
  return (
    <p>
      <a href={`${PAGES.settings}#mails`}>Choose your mails</a>{" "}
      after signing in.
    </p>
  );
}
