import { CODE_DIGITS } from "../../../domain/sign_in/challenge.ts";
import { Button, Field, Form, Hidden } from "../pages/forms.tsx";
import { signInPath } from "../../middleware/next_path.ts";
import type { Html } from "../../pages/html.ts";
import { CODE_SCRIPTS, PASSKEY_SCRIPTS } from "../pages/script_routes.ts";
import { Page } from "../pages/page.tsx";
import { PartnerSees } from "../refer/referral_words.tsx";

/** `/sign-in`: by passkey, or by a code sent to an e-mail address. */
export function SignInPage(props: {
  /** Where the sign-in leads. */
  next: string;
  email: string;
  /** Why no code was sent; null where nothing was in the way. */
  error: string | null;
  /** What is wrong with the address; null for nothing. */
  emailError: string | null;
  /** Whether the person is signed in and only has to prove it again. */
  again: boolean;
  /** Whether only a passkey proves it. */
  needsPasskey: boolean;
  /** Of the partner's link by which a new account comes; null for none. */
  referralCode: string | null;
}): Html {
  const { next, email, again, needsPasskey, referralCode } = props;
  return (
    <Page
      title="Sign in"
      description="Sign in with a code by mail or a passkey. A new account is made the same way."
      heading={again ? "Confirm it is you" : "Sign in"}
      error={props.error}
      isFaulty={props.emailError !== null}
      scripts={PASSKEY_SCRIPTS}
    >
      <p>
        {needsPasskey
          ? "You have a passkey: what operators decide takes a sign-in by it. " +
            "A code lets you look."
          : again
          ? "What you want to do needs a sign-in of the last few minutes."
          : "New here? Signing in makes your account."}
      </p>
      {referralCode !== null && (
        <aside class="note">
          <p>
            <strong>A partner recommended Spotlight to you.</strong>
          </p>
          <PartnerSees />
          <p>
            <a href={withoutReferral(next)}>Sign up without the partner</a>
          </p>
        </aside>
      )}
      <Form action="/sign-in">
        <Hidden name="next" value={next} />
        {referralCode !== null && <Hidden name="ref" value={referralCode} />}
        <Field
          name="email"
          label="E-mail address"
          hint="We send a code to it. There is no password."
          type="email"
          value={email}
          error={props.emailError}
          autocomplete="username webauthn"
          maxlength={254}
          required
          autofocus={!again || props.emailError !== null}
        />
        <Button>Send me a code</Button>
      </Form>
      <section id="passkey-sign-in" data-next={next} hidden>
        <h2>Or use a passkey</h2>
        <p>If you have added one, your device signs you in without a code.</p>
        <p class="note error" role="alert" hidden></p>
        <button type="button" class="plain">Sign in with a passkey</button>
      </section>
    </Page>
  );
}

/** What `ref` says where nobody is to be credited. */
export const WITHOUT_REFERRAL = "none";

function withoutReferral(next: string): string {
  const path = signInPath(next);
  const mark = path.includes("?") ? "&" : "?";
  return `${path}${mark}ref=${WITHOUT_REFERRAL}`;
}

/** The field that says which address a page of a code is about. */
export const SENT_TO = "sent_to";

/** `/sign-in/verify`: where the code is given. */
export function CodePage(props: {
  /** Where the code was sent. */
  email: string;
  error: string | null;
  /** Where the sign-in leads, also by another code. */
  next: string;
  /** Of the partner's link by which a new account comes; none if left out. */
  referralCode?: string | null | undefined;
  /** How long addresses without an account have to wait, if they do. */
  strangersWait?: string;
  /** Whether mails are kept here and sent to nobody. */
  isDevelopment: boolean;
}): Html {
  const { email, strangersWait, isDevelopment } = props;
  return (
    <Page
      title="Your code"
      heading={strangersWait === undefined
        ? "Check your mail"
        : "Check your mail, or try again later"}
      isFaulty={props.error !== null}
      scripts={CODE_SCRIPTS}
    >
      {strangersWait === undefined
        ? <CodeSent email={email} />
        : <CodeSentToMembers email={email} wait={strangersWait} />}
      {isDevelopment && <KeptInOutbox />}
      <Form action="/sign-in/verify">
        <Hidden name="next" value={props.next} />
        <Hidden name={SENT_TO} value={email} />
        <Field
          name="code"
          label={`Code of ${CODE_DIGITS} digits`}
          error={props.error}
          autocomplete="one-time-code"
          inputmode="numeric"
          maxlength={20}
          required
          autofocus
        />
        <TermsNote isReferred={typeof props.referralCode === "string"} />
        <Button>Sign in</Button>
      </Form>
      <p>
        Nothing arrived? Look into the spam folder, or{" "}
        <a href={signInPath(props.next)}>ask for another code</a>.
      </p>
    </Page>
  );
}

/** What giving the code means to who has no account yet. */
function TermsNote({ isReferred }: { isReferred: boolean }): Html {
  return (
    <p class="quiet">
      If you are new here, signing in makes your account, and you accept our
      {" "}
      <a href="/terms" target="_blank">terms</a>. What we keep of you is in our
      {" "}
      <a href="/privacy" target="_blank">privacy notice</a>.
      {isReferred &&
        " The partner that recommended Spotlight to you is credited with it."}
    </p>
  );
}

function CodeSent({ email }: { email: string }): Html {
  return (
    <p>
      We sent a code to{" "}
      <strong>{email}</strong>. It works for 10 minutes, in this browser only.
    </p>
  );
}

/** Where the code is of a service that sends no mail. */
function KeptInOutbox(): Html {
  return (
    <p class="note">
      This service runs in development and sends no mail: the code is in its
      {" "}
      <a href="/dev/outbox" target="_blank">outbox</a>.
    </p>
  );
}

/** Says nothing of whether the address has an account. */
function CodeSentToMembers(
  { email, wait }: { email: string; wait: string },
): Html {
  return (
    <>
      <p class="note warning">
        So many people are asking for codes that we cannot send one to every new
        address right now.
      </p>
      <p>
        If <strong>{email}</strong>{" "}
        has an account here, its code is on its way: type it in below. If you
        are new here, nothing was sent; please try again in {wait}.
      </p>
    </>
  );
}

/** The same where this browser has no code to give. */
export function NoCodePage({ next }: { next: string }): Html {
  return (
    <Page
      title="Your code"
      heading="This code is no longer valid"
      error="It was used already, is older than 10 minutes, was tried too often, or was asked for in another browser."
    >
      <p>
        <a href={signInPath(next)}>Ask for a new code</a>, and type it into the
        browser where you asked for it.
      </p>
    </Page>
  );
}
