import { PASSKEY_NAME_MAX } from "../../../domain/passkeys/passkey_name.ts";
import type { Seller } from "../../../domain/invoices/seller.ts";
import type { Passkey } from "../../../domain/passkeys/passkey.ts";
import { browserName } from "../../../domain/sessions/browser_name.ts";
import { PAGES } from "../../../domain/pages.ts";
import type { SignedIn } from "../../../domain/sessions/read_session.ts";
import type { Session } from "../../../domain/sessions/session.ts";
import { Button, Field, Form, Hidden } from "../pages/forms.tsx";
import type { Html } from "../../pages/html.ts";
import { Moment } from "../pages/moment.tsx";
import { PASSKEY_SCRIPTS } from "../pages/script_routes.ts";
import { MailChoicesForm } from "./mail_choices.tsx";
import { Cards, Page } from "../pages/page.tsx";

/** What the account's page shows. */
export interface AccountPageProps {
  signedIn: SignedIn;
  passkeys: readonly Passkey[];
  sessions: readonly Session[];
  /** What has just been done; null when nothing was. */
  done: string | null;
  error: string | null;
  /** Whom to ask. */
  seller: Pick<Seller, "email">;
  /** Whether the account is an operator's, which never bids. */
  isOperator: boolean;
}

/** `/account`: who is signed in, where, and by which passkeys. */
export function AccountPage(props: AccountPageProps): Html {
  const { signedIn, passkeys, sessions, done, error } = props;
  return (
    <Page
      title="Your account"
      note={done}
      error={error}
      scripts={PASSKEY_SCRIPTS}
    >
      <Standing {...props} />
      <p>
        You are signed in as <strong>{signedIn.account.email}</strong>.
      </p>
      <Form action="/account/sign-out">
        <Button kind="plain">Sign out</Button>
      </Form>
      <Company company={signedIn.account.company} />
      <MailChoicesForm account={signedIn.account} />
      <Passkeys passkeys={passkeys} />
      <Sessions sessions={sessions} current={signedIn.session} />
    </Page>
  );
}

/** What no step of the owner takes away: why, and whom to ask. */
function Standing({ signedIn, seller, isOperator }: AccountPageProps) {
  const { suspendedAtMs, suspensionReason } = signedIn.account;
  return (
    <>
      {suspendedAtMs !== null && (
        <div class="note warning">
          <p>
            <strong>Your account is suspended</strong> since{" "}
            <Moment atMs={suspendedAtMs} />: it can’t bid or submit
            advertisements.
          </p>
          {suspensionReason !== undefined && (
            <p>
              Why: <span dir="auto">{suspensionReason}</span>
            </p>
          )}
          <p>
            To have it lifted, or if you think it is a mistake, write to{" "}
            <a href={`mailto:${seller.email}`}>{seller.email}</a>.
          </p>
        </div>
      )}
      {isOperator && (
        <p class="note">
          <strong>This is an operator’s account, which can never bid.</strong>
          {" "}
          To advertise, sign out and sign in with another e-mail address.
          Operators work at <a href={PAGES.desk}>the desk</a>.
        </p>
      )}
    </>
  );
}

function Company({ company }: { company: SignedIn["account"]["company"] }) {
  return (
    <section>
      <h2>Company</h2>
      {company === null
        ? <p>You have not entered your company details yet.</p>
        : (
          <p>
            <bdi>{company.name}</bdi>, {company.address.city}
          </p>
        )}
      <p>
        <a href={PAGES.onboarding}>
          {company === null ? "Enter your company details" : "View or change"}
        </a>{" "}
        · <a href={PAGES.identity}>Your identity</a> ·{" "}
        <a href={PAGES.creatives}>Your advertisements</a> ·{" "}
        <a href={PAGES.bids}>Your bids</a> ·{" "}
        <a href={PAGES.billing}>Your cards</a> ·{" "}
        <a href={PAGES.invoices}>Your invoices</a> ·{" "}
        <a href={PAGES.agents}>Your agents</a>
      </p>
    </section>
  );
}

function Passkeys({ passkeys }: { passkeys: readonly Passkey[] }) {
  return (
    <section>
      <h2>Passkeys</h2>
      <p>
        A passkey signs you in with your fingerprint, face or device lock: no
        mail, nothing to type, and nothing that a false site could take. A code
        by e-mail always works as well.
      </p>
      <Cards
        of={passkeys.map((passkey) => <PasskeyCard passkey={passkey} />)}
      />
      <div
        id="passkey-add"
        data-sign-in="/sign-in"
        hidden
      >
        <p class="note error" role="alert" hidden></p>
        <button type="button" class="main">Add a passkey</button>
      </div>
      <noscript>
        <p class="quiet">Adding a passkey needs JavaScript.</p>
      </noscript>
    </section>
  );
}

function PasskeyCard({ passkey }: { passkey: Passkey }) {
  const { id, name, createdAtMs, lastUsedAtMs } = passkey;
  return (
    <li>
      <p>
        <strong>{name}</strong>
      </p>
      <p class="quiet">
        Added <Moment atMs={createdAtMs} />,{" "}
        {lastUsedAtMs === null ? "not used yet" : (
          <>
            last used <Moment atMs={lastUsedAtMs} />
          </>
        )}
        {passkey.backedUp && ", on your other devices too"}
      </p>
      <details>
        <summary>
          Change <span class="unseen">passkey {name}</span>
        </summary>
        <Form action="/account/passkeys/rename">
          <Hidden name="passkey" value={id} />
          <Field
            name="name"
            scope={id}
            label="Name"
            value={name}
            maxlength={PASSKEY_NAME_MAX}
            required
          />
          <Button kind="plain">Rename</Button>
        </Form>
        <Form action="/account/passkeys/remove">
          <Hidden name="passkey" value={id} />
          <Button kind="danger">
            Remove <span class="unseen">passkey {name}</span>
          </Button>
        </Form>
      </details>
    </li>
  );
}

function Sessions(
  { sessions, current }: { sessions: readonly Session[]; current: Session },
) {
  return (
    <section>
      <h2>Where you are signed in</h2>
      <Cards
        of={sessions.map((session) => (
          <SessionCard
            session={session}
            isCurrent={session.hash === current.hash}
          />
        ))}
      />
      <p>
        Signing out everywhere ends the sign-in of every browser and revokes
        every agent. Bids that were accepted stand.
      </p>
      <Form action="/account/sign-out-everywhere">
        <Button kind="danger">Sign out everywhere</Button>
      </Form>
    </section>
  );
}

function SessionCard(
  { session, isCurrent }: { session: Session; isCurrent: boolean },
) {
  return (
    <li>
      <p>
        <strong>{browserName(session.userAgent)}</strong>
        {isCurrent && " (this browser)"}
      </p>
      <p class="quiet">
        Since <Moment atMs={session.createdAtMs} />, last used{" "}
        <Moment atMs={session.lastUsedAtMs} />
      </p>
    </li>
  );
}
