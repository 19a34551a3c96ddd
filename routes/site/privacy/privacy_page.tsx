import { PAGES } from "../../../domain/pages.ts";
import {
  type DataExport,
  EXPORTS_A_DAY,
  EXPORTS_READY_MAX,
  preparedNow,
} from "../../../domain/privacy/data_requests.ts";
import type { Erasure } from "../../../domain/privacy/erasure.ts";
import type { Html } from "../../pages/html.ts";
import { Button, Form } from "../pages/forms.tsx";
import { Moment } from "../pages/moment.tsx";
import { Cards, Page } from "../pages/page.tsx";
import { ErasureSection } from "./erasure_pages.tsx";
import { EXPORTS_PATH } from "./privacy_paths.ts";

/** What the page of one's data shows. */
export interface PrivacyPageProps {
  exports: readonly DataExport[];
  /** The erasure that was asked for; null for none. */
  erasure: Erasure | null;
  done: string | null;
  error: string | null;
}

/** `/settings/privacy`: copies of one's data, and its erasure. */
export function PrivacyPage(props: PrivacyPageProps): Html {
  const { exports, erasure, done, error } = props;
  return (
    <Page title="Your data" note={done} error={error}>
      <Copies exports={exports} />
      <ErasureSection erasure={erasure} />
      <p class="quiet">
        What we keep, why and for how long is in the{" "}
        <a href="/privacy">privacy notice</a>.{" "}
        <a href={PAGES.settings}>Back to your settings</a>
      </p>
    </Page>
  );
}

function Copies({ exports }: { exports: readonly DataExport[] }) {
  return (
    <section id="export">
      <h2>A copy of your data</h2>
      <p>
        Everything we keep of you and your account as one document: your
        company, ads, bids, invoices, cards, agents, passkeys and where you are
        signed in. It is ready mostly within a minute and can be read for 7
        days.
      </p>
      <Cards of={exports.map((each) => <Copy copy={each} />)} />
      {preparedNow({ exports }) === undefined && (
        <Form action={EXPORTS_PATH}>
          <Button kind={exports.length === 0 ? "main" : "plain"}>
            {exports.length === 0 ? "Make a copy" : "Make a new copy"}
          </Button>
        </Form>
      )}
      <p class="quiet">
        At most {EXPORTS_A_DAY} a day. The newest {EXPORTS_READY_MAX} are kept.
      </p>
    </section>
  );
}

function Copy({ copy }: { copy: DataExport }) {
  const { id, grantId, requestedAtMs, readyAtMs, bytes, expiresAtMs } = copy;
  const { failedAtMs } = copy;
  const at = `${EXPORTS_PATH}/${id}`;
  return (
    <li>
      <p>
        <strong>
          Copy of <Moment atMs={readyAtMs ?? requestedAtMs} />
        </strong>
        {grantId !== null && ", asked for by an agent"}
      </p>
      {failedAtMs !== undefined
        ? (
          <p>
            There is more than 20 MB of data, too much for one copy. Write to
            us: we make it by hand.
          </p>
        )
        : readyAtMs === null
        ? <p>It is being prepared. Look again in a minute.</p>
        : (
          <>
            <p class="quiet">
              {kilobytes(bytes)}, until <Moment atMs={expiresAtMs} />
            </p>
            <div class="buttons">
              <a class="button main" href={`${at}/document`}>
                Download as JSON
              </a>
              <a class="button" href={at}>Read it here</a>
            </div>
          </>
        )}
    </li>
  );
}

function kilobytes(bytes: number): string {
  const count = Math.max(1, Math.round(bytes / 1_024));
  return `${count.toLocaleString("en")} KB`;
}
