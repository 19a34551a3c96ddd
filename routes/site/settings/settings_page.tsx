import type { AcceptedTerms } from "../../../domain/accounts/terms.ts";
import { PAGES } from "../../../domain/pages.ts";
import type { Passkey } from "../../../domain/passkeys/passkey.ts";
import type { SignedIn } from "../../../domain/sessions/read_session.ts";
import type { Session } from "../../../domain/sessions/session.ts";
import type { Html } from "../../pages/html.ts";
import { Button, Form } from "../pages/forms.tsx";
import { Moment } from "../pages/moment.tsx";
import { Page } from "../pages/page.tsx";
import { PASSKEY_SCRIPTS } from "../pages/script_routes.ts";
import { DayTime } from "../ui/day_time.tsx";
import { Browsers } from "./browsers.tsx";
import { MailChoicesForm } from "./mail_choices.tsx";
import { nameFaults, Passkeys, type RefusedName } from "./passkeys.tsx";
import { EMAIL_PATH, SIGN_OUT_PATH } from "./settings_paths.ts";

/** What the page of settings shows. */
export interface SettingsPageProps {
  signedIn: SignedIn;
  passkeys: readonly Passkey[];
  sessions: readonly Session[];
  /** What has just been done; null when nothing was. */
  done: string | null;
  /** A name that was typed for a passkey and can't be its; null for none. */
  refused: RefusedName | null;
  /** Whether the account is an operator's, which never advertises. */
  isOperator: boolean;
}

/** `/settings`: the company, mails, and how one signs in. */
export function SettingsPage(props: SettingsPageProps): Html {
  const { signedIn, passkeys, sessions, done, refused, isOperator } = props;
  return (
    <Page
      title="Settings"
      note={done}
      faults={nameFaults(refused)}
      scripts={PASSKEY_SCRIPTS}
    >
      {!isOperator && <Company company={signedIn.account.company} />}
      <Email email={signedIn.account.email} isOperator={isOperator} />
      <Terms accepted={signedIn.account.terms} />
      {!isOperator && <MailChoicesForm account={signedIn.account} />}
      <Passkeys {...{ passkeys, refused, isOperator }} />
      <Browsers sessions={sessions} current={signedIn.session} />
      <YourData />
      {!isOperator && <PartnerProgramme />}
    </Page>
  );
}

function Company({ company }: { company: SignedIn["account"]["company"] }) {
  return (
    <section id="company">
      <h2>Company</h2>
      {company === null ? <p>You have not entered your company yet.</p> : (
        <p>
          <bdi>{company.name}</bdi>, {company.address.city}
        </p>
      )}
      <p>
        <a href={PAGES.onboarding}>
          {company === null ? "Enter your company" : "Change your company"}
        </a>{" "}
        · <a href={PAGES.identity}>Your identity</a>
      </p>
    </section>
  );
}

function YourData() {
  return (
    <section id="data">
      <h2>Your data</h2>
      <p>
        <a href={PAGES.privacy}>Download your data or erase your account</a>
      </p>
    </section>
  );
}

function PartnerProgramme() {
  return (
    <section id="partner">
      <h2>Partner programme</h2>
      <p>
        <a href={PAGES.partner}>Recommend Spotlight and earn commission</a>
      </p>
    </section>
  );
}

/** Says nothing of accounts that were made before anybody was asked. */
function Terms({ accepted }: { accepted: AcceptedTerms | undefined }) {
  if (accepted === undefined) return null;
  const { version, acceptedAtMs } = accepted;
  return (
    <p class="quiet">
      You accepted the <a href="/terms">terms</a> of <DayTime day={version} />
      {" "}
      on <Moment atMs={acceptedAtMs} />. What we keep of you is in the{" "}
      <a href="/privacy">privacy notice</a>.
    </p>
  );
}

function Email({ email, isOperator }: { email: string; isOperator: boolean }) {
  return (
    <section id="email">
      <h2>E-mail address</h2>
      <p>
        You are signed in as{" "}
        <strong>{email}</strong>. Codes to sign in and all mails go there.
      </p>
      {!isOperator && (
        <p>
          <a href={EMAIL_PATH}>Change the address</a>
        </p>
      )}
      <Form action={SIGN_OUT_PATH}>
        <Button kind="plain">Sign out</Button>
      </Form>
    </section>
  );
}
