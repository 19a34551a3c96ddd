import type { Spotlight } from "../../../domain/spotlights/spotlight.ts";
import { REPORT_TEXT } from "../../../domain/ad_reports/report_ad.ts";
import { COUNTER_SCRIPTS } from "../pages/script_routes.ts";
import { DayTime } from "../ui/day_time.tsx";
import { Button, Form, TextArea } from "../pages/forms.tsx";
import type { Html } from "../../pages/html.ts";
import { REPORT_PATH } from "../pages/spotlight_pages.tsx";
import { PolicyField } from "../pages/policy_field.tsx";
import { Page } from "../pages/page.tsx";

/** A report as it was typed. */
export interface ReportTyped {
  policyId: string;
  text: string;
}

/** `/report/{day}`: what a reader finds wrong with an advertisement. */
export function ReportPage(
  { spotlight, typed, error }: {
    spotlight: Pick<Spotlight, "day" | "headline" | "advertiser">;
    typed: ReportTyped;
    error: string | null;
  },
): Html {
  const { day, headline, advertiser } = spotlight;
  return (
    <Page
      title="Report an advertisement"
      error={error}
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
          none="Something else (write below)"
          value={typed.policyId}
          error={null}
        />
        <TextArea
          name="text"
          label="In your words"
          hint="Up to 1,000 characters; may be left empty if you chose above"
          counted={REPORT_TEXT.max}
          value={typed.text}
          error={error}
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

/** `/report/thanks`: where a report leads to. */
export function ReportedPage(): Html {
  return (
    <Page title="Thank you">
      <p>Your report was received. We look at it.</p>
      <p>
        <a href="/">See today’s Spotlight</a>
      </p>
    </Page>
  );
}
