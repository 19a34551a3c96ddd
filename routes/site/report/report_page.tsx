import type { Spotlight } from "../../../domain/spotlights/spotlight.ts";
import { REPORT_TEXT } from "../../../domain/ad_reports/report_ad.ts";
import { COUNTER_SCRIPTS } from "../pages/script_routes.ts";
import { DayTime } from "../ui/day_time.tsx";
import { Button, faultsOf, Form, TextArea } from "../pages/forms.tsx";
import type { Html } from "../../pages/html.ts";
import { REPORT_PATH } from "../pages/spotlight_pages.tsx";
import { PolicyField } from "../pages/policy_field.tsx";
import { Page } from "../pages/page.tsx";

/** A report as it was typed. */
export interface ReportTyped {
  policyId: string;
  text: string;
}

/** What was wrong with each field; nothing where it is left out. */
export type ReportErrors = Readonly<Partial<Record<keyof ReportTyped, string>>>;

const FIELD_IDS = { policyId: "policy_id", text: "text" };
const TEXT_LABEL = "In your words";

/** `/report/{day}`: what a reader finds wrong with an advertisement. */
export function ReportPage(
  { spotlight, typed, errors }: {
    spotlight: Pick<Spotlight, "day" | "headline" | "advertiser">;
    typed: ReportTyped;
    errors: ReportErrors;
  },
): Html {
  const isRefused = Object.keys(errors).length > 0;
  const { day, headline, advertiser } = spotlight;
  return (
    <Page
      title="Report an advertisement"
      error={isRefused ? "Nothing has been sent yet:" : null}
      faults={faultsOf(errors, FIELD_IDS, { text: TEXT_LABEL })}
      scripts={COUNTER_SCRIPTS}
    >
      <p>
        You report “<bdi>{headline}</bdi>” from{" "}
        <bdi>{advertiser}</bdi>, the Spotlight of{" "}
        <DayTime day={day} />. A person of ours reads it. We do not ask who you
        are, so there is no answer; please name nobody who is private.
      </p>
      <Form action={`${REPORT_PATH}/${day}`}>
        <PolicyField
          label="What is wrong with it"
          choose="Choose"
          other="Something else (write below)"
          value={typed.policyId}
          error={errors.policyId ?? null}
        />
        <TextArea
          name="text"
          label={TEXT_LABEL}
          hint="Up to 1,000 characters; needed for “Something else” only"
          counted={REPORT_TEXT.max}
          value={typed.text}
          error={errors.text ?? null}
          rows={5}
        />
        <Button>Send the report</Button>
      </Form>
      <p class="quiet">
        <a href={`/spotlights/${day}`}>Back to the Spotlight</a>
      </p>
    </Page>
  );
}

/** `/report/thanks`: where a report leads to, with what it is called if kept. */
export function ReportedPage(
  { reference }: { reference: string | null },
): Html {
  return (
    <Page title="Thank you">
      <p>Your report was received. A person of ours reads it.</p>
      {reference !== null && (
        <p>
          Should you <a href="/imprint">write to us</a>{" "}
          about it, quote its reference: <code>{reference}</code>
        </p>
      )}
      <p>
        <a href="/">See today’s Spotlight</a>
      </p>
    </Page>
  );
}
