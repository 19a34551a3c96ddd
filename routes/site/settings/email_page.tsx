import { CODE_DIGITS } from "../../../domain/sign_in/challenge.ts";
import { PAGES } from "../../../domain/pages.ts";
import type { PendingEmail } from "../../../domain/sign_in/change_email.ts";
import type { Html } from "../../pages/html.ts";
import { Button, Field, Form } from "../pages/forms.tsx";
import { Page } from "../pages/page.tsx";
import { CONFIRM_EMAIL_PATH, EMAIL_PATH } from "./settings_paths.ts";

/** What the page of the e-mail address shows. */
export interface EmailPageProps {
  /** The address of the account. */
  email: string;
  /** The change that waits for its codes; null for none. */
  pending: PendingEmail | null;
  /** What was typed as the new address. */
  typed: string;
  error: string | null;
}

/** `/settings/email`: another address, and the codes for both. */
export function EmailPage(props: EmailPageProps): Html {
  const { pending, error } = props;
  return (
    <Page title="Change your e-mail address" error={error}>
      {pending !== null && <Codes {...pending} isWrong={error !== null} />}
      {pending === null ? <NewAddress {...props} /> : (
        <details>
          <summary>Mail new codes, or use another address</summary>
          <NewAddress {...props} />
        </details>
      )}
      <p>
        <a href={PAGES.settings}>Keep the address</a>
      </p>
    </Page>
  );
}

function NewAddress({ email, typed, error, pending }: EmailPageProps) {
  return (
    <>
      <p>
        Your address is{" "}
        <strong>{email}</strong>. We mail a code to it and one to the new
        address, so that nobody moves your account who has not both mailboxes.
      </p>
      <Form action={EMAIL_PATH}>
        <Field
          name="email"
          label="New e-mail address"
          type="email"
          value={typed}
          invalid={error !== null && pending === null}
          autocomplete="email"
          maxlength={254}
          required
        />
        <Button kind={pending === null ? "main" : "plain"}>
          Mail both codes
        </Button>
      </Form>
      <p class="quiet">
        Once it is done, your other browsers are signed out. Agents, passkeys,
        cards and bids stay as they are.
      </p>
    </>
  );
}

function Codes(
  { current, wanted, isWrong }: PendingEmail & { isWrong: boolean },
) {
  const code = {
    invalid: isWrong,
    autocomplete: "one-time-code",
    inputmode: "numeric",
    maxlength: 20,
    required: true,
  } as const;
  return (
    <>
      <p>
        We mailed two codes of {CODE_DIGITS}{" "}
        digits. They work for 10 minutes, together.
      </p>
      <Form action={CONFIRM_EMAIL_PATH}>
        <Field
          {...code}
          name="current_code"
          label={`Code sent to ${current}`}
        />
        <Field {...code} name="new_code" label={`Code sent to ${wanted}`} />
        <Button>Change the address</Button>
      </Form>
    </>
  );
}
