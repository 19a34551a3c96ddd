import type { Account } from "../../../domain/accounts/account.ts";
import type { AccountNote } from "../../../domain/accounts/account_note.ts";
import type { DeskAccount } from "../../../domain/accounts/read_desk_account.ts";
import { vatCheckOf } from "../../../domain/accounts/vat_check.ts";
import { labelOf } from "../../../domain/pages.ts";
import type { EligibilityReason } from "../../../domain/refusal.ts";
import { Button, Form, Hidden } from "../pages/forms.tsx";
import type { Html } from "../../pages/html.ts";
import { Moment } from "../pages/moment.tsx";
import { Facts, Page } from "../pages/page.tsx";
import {
  ACCOUNT_ACT_NAMES,
  accountAct,
  type AccountActName,
} from "./account_acts.ts";
import {
  Agents,
  CardsSaved,
  Disputes,
  Invoices,
  LiveBids,
} from "./account_sections.tsx";
import type { AccountView } from "./account_view.ts";
import { AuditLines } from "./audit_lines.tsx";
import { waitingWords } from "./account_words.ts";
import { accountPath } from "./paths.ts";
import { reasonFaults, ReasonField } from "./desk_act.tsx";

/** What the page of one account shows. */
export interface OperatorAccountProps {
  item: AccountView;
  note: string | null;
  error: string | null;
  /** The form that comes back, and what was typed. */
  typed: TypedAccountAct | null;
}

/** A decision as it was typed. */
export interface TypedAccountAct {
  act: AccountActName;
  reason: string;
  /** What is wrong with the reason; null for nothing. */
  error: string | null;
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
      faults={reasonFaults(props.typed)}
    >
      {waiting.map((words) => <p class="note warning">{words}</p>)}
      <KnownOf {...props.item} />
      <Standing account={account} reasons={reasons} />
      <section>
        <h2>What you can do</h2>
        {ACCOUNT_ACT_NAMES.filter((act) => accountAct(act).isOffered(account))
          .map((act) => <Act act={act} {...props} />)}
      </section>
      <LiveBids {...props.item} />
      <Disputes {...props.item} />
      <Invoices {...props.item} />
      <CardsSaved {...props.item} />
      <Agents {...props.item} />
      <History notes={notes} />
      <AuditLines subject={account.id} acts={props.item.acts} />
    </Page>
  );
}

function KnownOf({ account, vatHolderId, identity, partner }: AccountView) {
  const { id, email, company, createdAtMs, paidWins } = account;
  return (
    <Facts
      of={[
        ["Id", <code>{id}</code>],
        ["E-mail", email],
        ["Signed up", <Moment atMs={createdAtMs} />],
        company !== null &&
        [
          "Company",
          <>
            <bdi>{company.name}</bdi>, {company.country}
          </>,
        ],
        company !== null &&
        ["VAT id", <VatId account={account} vatHolderId={vatHolderId} />],
        ["Identity", <Identity account={account} identity={identity} />],
        ["Days won", paidWins],
        partner !== null &&
        ["Would recommend us", <span dir="auto">{partner.pitch}</span>],
      ]}
    />
  );
}

function VatId(
  { account, vatHolderId }: Pick<DeskAccount, "account" | "vatHolderId">,
) {
  const { company, vatStatus, id } = account;
  const check = vatCheckOf(account);
  return (
    <>
      {company?.vatId ?? "none"}
      {company?.vatId && `, ${vatStatus}`}
      {check?.outcome && check.atMs !== null && (
        <>
          ; the register said {check.outcome} <Moment atMs={check.atMs} />
          {check.name && (
            <>
              {" "}for <bdi>{check.name}</bdi>
            </>
          )}
        </>
      )}
      {vatHolderId !== null && vatHolderId !== id && (
        <>
          ; held by <a href={accountPath(vatHolderId)}>{vatHolderId}</a>
        </>
      )}
    </>
  );
}

function Identity(
  { account: { identityStatus }, identity }: Pick<
    AccountView,
    "account" | "identity"
  >,
) {
  const verified = identity?.verified ?? null;
  return (
    <>
      {identityStatus}
      {verified !== null && (
        <>
          {" "}since <Moment atMs={verified.atMs} />
        </>
      )}
      {identityStatus !== "verified" && identity !== null &&
        identity.status !== null && `, the last check is ${identity.status}`}
    </>
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
  { act, item: { account, partner }, typed }: OperatorAccountProps & {
    act: AccountActName;
  },
) {
  const { title, effect, button, about, goesByName } = accountAct(act);
  const isBack = typed?.act === act;
  const decided = about?.(account, partner) ?? null;
  return (
    <details open={isBack}>
      <summary>{title}</summary>
      <Form action={`${accountPath(account.id)}/${act}`}>
        <p>{effect}</p>
        {decided !== null && <Hidden name="about" value={decided} />}
        {goesByName && (
          <Hidden name="company_name" value={account.company?.name ?? ""} />
        )}
        <ReasonField
          scope={act}
          hint="The owner reads it"
          value={isBack ? typed.reason : ""}
          error={isBack ? typed.error : null}
          required={false}
        />
        <Button kind={button}>{title}</Button>
      </Form>
    </details>
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
  partner_approved: "Approved as a partner",
  partner_refused: "Refused as a partner",
  partner_ended: "Partnership ended",
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
