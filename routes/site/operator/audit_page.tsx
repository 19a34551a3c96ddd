import {
  ACTS,
  nameOf,
  type OperatorAct,
} from "../../../domain/audit/operator_act.ts";
import type { AuditPage as AuditPart } from "../../../domain/audit/read_audit.ts";
import type { Html } from "../../pages/html.ts";
import { Button, Field } from "../pages/forms.tsx";
import { Moment } from "../pages/moment.tsx";
import { Cards, Page } from "../pages/page.tsx";
import { type AskedAudit, auditAddress, changeWords } from "./audit_view.ts";
import { accountPath, AUDIT_PATH, KEYS_PATH } from "./paths.ts";

/** What the page shows. */
export interface AuditPageProps {
  part: AuditPart;
  asked: AskedAudit;
  /** Whether newer ones are on pages before this one. */
  isFurtherOn: boolean;
}

/** `/operator/audit`: what operators did, the newest first. */
export function AuditPage(props: AuditPageProps): Html {
  const { part: { acts, next }, asked, isFurtherOn } = props;
  return (
    <Page title="Audit">
      <p>
        Everything that operators did, on the desk or through the operator API,
        written down as it was done. Lines stay as long as the books, as they
        were written: only when an account is erased, those about it lose their
        reasons and what changed.{" "}
        <a href={KEYS_PATH}>Keys of the operator API</a>
      </p>
      <Filter {...asked} />
      <Cards
        none={next === null
          ? "Nothing like that was done."
          : "None of the lines read so far is like that: there are older ones."}
        of={acts.map((act) => <ActCard act={act} />)}
      />
      <nav class="around" aria-label="Pages of the audit">
        {next !== null && (
          <a href={auditAddress(asked, { before: next })} rel="next">Older</a>
        )}
        {isFurtherOn && <a href={auditAddress(asked)}>Newest</a>}
        <a href={auditAddress(asked, { path: `${AUDIT_PATH}/csv` })} download>
          Download as CSV
        </a>
      </nav>
    </Page>
  );
}

function Filter({ subject, person, from, to }: AskedAudit): Html {
  return (
    <form class="search" method="get" action={AUDIT_PATH}>
      <Field
        name="subject"
        label="About"
        hint="A day, or the id of an account, an ad or an event"
        value={subject}
        maxlength={254}
      />
      <Field
        name="person"
        label="By"
        hint="An operator’s e-mail address, or the name of a key"
        value={person}
        maxlength={254}
      />
      <Field name="from" label="From" type="date" value={from} />
      <Field name="to" label="To" type="date" value={to} />
      <Button kind="plain">Show</Button>
    </form>
  );
}

/** One line of the audit: what was done, when, by whom and why. */
export function ActCard(
  { act: { atMs, by, act, subject, reason, change } }: { act: OperatorAct },
): Html {
  const changed = changeWords(change);
  return (
    <li>
      <p>
        <strong>{ACTS[act]}</strong>
        {subject !== null && (
          <>
            {" "}
            <code>{subject}</code>
          </>
        )}
      </p>
      <p class="quiet">
        <Moment atMs={atMs} />, by {by.kind === "key" && "the key "}
        <bdi>{nameOf(by)}</bdi>
        {by.kind === "key" && by.madeBy !== undefined && (
          <>
            {" of "}
            <a href={accountPath(by.madeBy)}>
              <code>{by.madeBy}</code>
            </a>
          </>
        )}
      </p>
      {reason !== null && <p dir="auto">{reason}</p>}
      {changed.length > 0 && (
        <p class="quiet">
          <bdi>{changed.join("; ")}</bdi>
        </p>
      )}
    </li>
  );
}
