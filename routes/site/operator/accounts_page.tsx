import type { Account } from "../../../domain/accounts/account.ts";
import type { AccountNote } from "../../../domain/accounts/account_note.ts";
import { REASON_TEXT } from "../../../domain/accounts/decide_about_account.ts";
import type { DeskAccount } from "../../../domain/accounts/read_desk_account.ts";
import { labelOf } from "../../../domain/pages.ts";
import type { EligibilityReason } from "../../../domain/refusal.ts";

import { Button, Field, Form, Hidden, TextArea } from "../pages/forms.tsx";
import type { Html } from "../../pages/html.ts";
import { Moment } from "../pages/moment.tsx";
import {
  ACCOUNT_ACT_NAMES,
  accountAct,
  type AccountActName,
} from "./account_acts.ts";
import { waitingWords } from "./account_words.ts";
import { Cards, Facts, Page } from "../pages/page.tsx";

/** Where an operator decides about accounts. */
export const ACCOUNTS_PATH = "/operator/accounts";

/** The page of one account. */
export function accountPath(accountId: string): string {
  return `${ACCOUNTS_PATH}/${encodeURIComponent(accountId)}`;
}

/** `/operator/accounts`: what waits for an operator, and a way to the others. */
export function AccountsPage(
  { waiting, sought, error }: {
    waiting: readonly Account[];
    sought: string;
    error: string | null;
  },
): Html {
  return (
    <Page title="Accounts">
      <section>
        <h2>Waiting for you</h2>
        <Cards
          none="No account waits for a decision."
          of={waiting.map((account) => (
            <li>
              <p>
                <strong>
                  <a href={accountPath(account.id)}>
                    <bdi>{account.company?.name ?? account.id}</bdi>
                  </a>
                </strong>
              </p>
              <p class="quiet">{waitingWords(account).join("; ")}</p>
            </li>
          ))}
        />
      </section>
      <section>
        <h2>Open an account</h2>
        <form method="get" action={ACCOUNTS_PATH} class="stacked">
          <Field
            name="find"
            label="Id or e-mail address"
            value={sought}
            error={error}
            maxlength={254}
          />
          <Button kind="plain">Open</Button>
        </form>
      </section>
    </Page>
  );
}

/** What the page of one account shows. */
export interface OperatorAccountProps {
  item: DeskAccount;
  note: string | null;
  error: string | null;
  /** The form that comes back, and what was typed. */
  typed: { act: AccountActName; reason: string } | null;
}

/** `/operator/accounts/{id}`: how an account stands, and what can be decided. */
export function OperatorAccountPage(props: OperatorAccountProps): Html {
  const { item: { account, reasons, notes }, note, error } = props;
  const waiting = waitingWords(account);
  return (
    <Page
      title="Account"
      heading={
        <bdi>{account.company?.name ?? "An account without a company"}</bdi>
      }
      note={note}
      error={error}
    >
      {waiting.map((words) => <p class="note warning">{words}</p>)}
      <KnownOf {...props.item} />
      <Standing account={account} reasons={reasons} />
      {ACCOUNT_ACT_NAMES.filter((act) => accountAct(act).isOffered(account))
        .map((act) => <Act act={act} {...props} />)}
      <History notes={notes} />
    </Page>
  );
}

function KnownOf(
  { account: { id, email, company }, vatHolderId }: DeskAccount,
) {
  return (
    <Facts
      of={[
        ["Id", <code>{id}</code>],
        ["E-mail", email],
        company !== null &&
        [
          "Company",
          <>
            <bdi>{company.name}</bdi>, {company.country}
          </>,
        ],
        company !== null &&
        [
          "VAT id",
          <>
            {company.vatId ?? "none"}
            {vatHolderId !== null && vatHolderId !== id && (
              <>
                , held by <a href={accountPath(vatHolderId)}>{vatHolderId}</a>
              </>
            )}
          </>,
        ],
      ]}
    />
  );
}

function Standing(
  { account, reasons }: {
    account: Account;
    reasons: readonly EligibilityReason[];
  },
) {
  const { suspendedAtMs, suspensionReason } = account;
  return (
    <section>
      <h2>Standing</h2>
      {suspendedAtMs !== null && (
        <p>
          Suspended since <Moment atMs={suspendedAtMs} />
          {suspensionReason !== undefined && (
            <>
              : <span dir="auto">{suspensionReason}</span>
            </>
          )}
        </p>
      )}
      {reasons.length === 0 ? <p>Nothing keeps it from bidding.</p> : (
        <ul>
          {reasons.map((reason) => (
            <li>
              <code>{reason}</code>: {labelOf(reason)}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Act(
  { act, item: { account }, typed }: OperatorAccountProps & {
    act: AccountActName;
  },
) {
  const { title, effect, button, about } = accountAct(act);
  const isBack = typed?.act === act;
  const decided = about?.(account) ?? null;
  return (
    <details open={isBack}>
      <summary>{title}</summary>
      <Form action={`${accountPath(account.id)}/${act}`}>
        <p>{effect}</p>
        {decided !== null && <Hidden name="about" value={decided} />}
        <TextArea
          name="reason"
          scope={act}
          label="Reason"
          hint={`The owner reads it. ${REASON_TEXT.max} characters at most`}
          value={isBack ? typed.reason : ""}
          error={null}
        />
        <Button kind={button}>{title}</Button>
      </Form>
    </details>
  );
}

/** `/operator/accounts/{id}/{act}`: says what will happen, and asks once. */
export function ConfirmActPage(
  { account, act, reason, about }: {
    account: Account;
    act: AccountActName;
    reason: string;
    /** What is decided about, as the operator saw it. */
    about: string | null;
  },
): Html {
  const { title, effect, button } = accountAct(act);
  const own = accountPath(account.id);
  return (
    <Page title={title} heading={`${title}?`}>
      <p>
        <strong>
          <bdi>{account.company?.name ?? account.email}</bdi>
        </strong>. {effect}
      </p>
      {about !== null && (
        <p>
          You decide about: <bdi>{about}</bdi>
        </p>
      )}
      <p>
        Your reason: <span dir="auto">{reason}</span>
      </p>
      <Form action={`${own}/${act}`}>
        <Hidden name="reason" value={reason} />
        <Hidden name="confirmed" value="yes" />
        {about !== null && <Hidden name="about" value={about} />}
        <Button kind={button}>{title}</Button>
      </Form>
      <p>
        <a href={own}>Leave it as it is</a>
      </p>
    </Page>
  );
}

const EVENTS: Readonly<Record<AccountNote["event"], string>> = {
  suspended: "Suspended",
  suspension_lifted: "Suspension lifted",
  block_lifted: "Block of a lost dispute lifted",
  refusal_lifted: "Refusal of a card lifted",
  rename_approved: "New name approved",
  rename_refused: "New name refused",
  vat_approved: "VAT id approved",
  vat_declined: "VAT id declined",
  vat_released: "VAT id released",
};

function History({ notes }: { notes: readonly AccountNote[] }) {
  return (
    <section>
      <h2>History</h2>
      {notes.length === 0 && <p>Nothing was decided about it so far.</p>}
      {notes.length > 0 && (
        <ol reversed>
          {notes.map(({ number, event, by, atMs, reason }) => (
            <li value={number}>
              {EVENTS[event]} {by.kind === "operator"
                ? `by operator ${by.accountId}`
                : "through the operator API"}, <Moment atMs={atMs} />:{" "}
              <span dir="auto">{reason}</span>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
