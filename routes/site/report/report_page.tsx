import type { Spotlight } from "../../../domain/spotlights/spotlight.ts";
import { TextArea } from "../creatives/creative_parts.tsx";
import { DayTime } from "../pages/advertisement.tsx";
import { Button, ErrorNote, Form } from "../pages/forms.tsx";
import type { Html } from "../../pages/html.ts";
import { Layout } from "../../pages/layout.tsx";
import { REPORT_PATH } from "../pages/spotlight_pages.tsx";
import { PolicyField } from "../pages/policy_field.tsx";

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
    <Layout title="Report an advertisement – Spotlight">
      <h1>Report an advertisement</h1>
      {error !== null && <ErrorNote>{error}</ErrorNote>}
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
          value={typed.text}
          error={error}
          rows={5}
        />
        <Button>Send the report</Button>
      </Form>
      <p class="quiet">
        <a href={`/spotlights/${day}`}>Back to the Spotlight</a>
      </p>
    </Layout>
  );
}

/** `/report/thanks`: where a report leads to. */
export function ReportedPage(): Html {
  return (
    <Layout title="Thank you – Spotlight">
      <h1>Thank you</h1>
      <p>Your report was received. We look at it.</p>
      <p>
        <a href="/">See today’s Spotlight</a>
      </p>
    </Layout>
  );
}
