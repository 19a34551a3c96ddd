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
  /** What was in the way, and the fields that it is about, if it is about any. */
  error: string | null;
  fields: readonly EmailField[];
}

/** A field of the page's forms. */
export type EmailField = "email" | "current_code" | "new_code";

/** `/settings/email`: another address, and the codes for both. */
export function EmailPage(props: EmailPageProps): Html {
  const { pending, error, fields } = props;
  const [first] = fields;
  return (
    <Page
      title="Change your e-mail address"
      error={first === undefined ? error : null}
      faults={first === undefined ? [] : [[first, error]]}
    >
      {pending !== null && <Codes {...props} pending={pending} />}
      {pending === null
        ? <NewAddress {...props} />
        : (
          <details open={fields.includes("email")}>
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

function errorOf(field: EmailField, { error, fields }: EmailPageProps) {
  return fields.includes(field) ? error : null;
}

function NewAddress(props: EmailPageProps) {
  const { email, typed, pending } = props;
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
          error={errorOf("email", props)}
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

function Codes(props: EmailPageProps & { pending: PendingEmail }) {
  const { current, wanted } = props.pending;
  const code = {
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
          error={errorOf("current_code", props)}
          label={`Code sent to ${current}`}
        />
        <Field
          {...code}
          name="new_code"
          error={errorOf("new_code", props)}
          label={`Code sent to ${wanted}`}
        />
        <Button>Change the address</Button>
      </Form>
    </>
  );
}
