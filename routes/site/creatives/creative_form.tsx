import type { Copy } from "../../../domain/creatives/creative.ts";
import { COPY_FIELDS } from "../../../domain/creatives/creative_refusal.ts";
import { TARGET_URL_MAX } from "../../../domain/creatives/target_url.ts";
import { DESCRIPTION, HEADLINE } from "../../../domain/creatives/read_copy.ts";
import { faultsOf, Field, Form, Hidden, TextArea } from "../pages/forms.tsx";
import type { Html } from "../../pages/html.ts";
import { COUNTER_SCRIPTS, PREVIEW_SCRIPTS } from "../pages/script_routes.ts";
import type { CopyErrors } from "./creative_fields.ts";
import { POLICIES_URL } from "./creative_words.ts";
import { NextStep, type StepAhead } from "../first_steps/next_step.tsx";
import { Preview } from "./preview.tsx";
import { Page } from "../pages/page.tsx";

/** What is being written. */
export type Writing = "new" | "draft" | "version";

/** What the form shows. */
export interface CreativeFormProps {
  writing: Writing;
  /** Of this rendering: a form that is sent twice makes one advertisement. */
  token: string;
  /** Where the form is sent. */
  action: string;
  /** Whether the desk would look at it, so that saving may hand it in, too. */
  maySubmit: boolean;
  typed: Copy;
  errors: CopyErrors;
  /** What was done on the page before; null for nothing. */
  note: string | null;
  /** Why nothing was saved; null where nothing was in the way. */
  error: string | null;
  advertiser: string;
  /** Where the way to a first bid goes on; null where that is not asked. */
  next: StepAhead | null;
}

const TITLES: Readonly<Record<Writing, string>> = {
  new: "New advertisement",
  draft: "Edit the draft",
  version: "New version",
};

/** The fields by their names, which are their places, too. */
const FIELD_IDS = Object.fromEntries(
  Object.values(COPY_FIELDS).map((name) => [name, name]),
);

/** How those are called whose sentences do not say it. */
const LABELS = { headline: "Headline", description: "Description" };
const NAMED = {
  [COPY_FIELDS.headline]: LABELS.headline,
  [COPY_FIELDS.description]: LABELS.description,
};

/** The form of an advertisement with its preview, which needs no script. */
export function CreativeFormPage(props: CreativeFormProps): Html {
  const { writing, typed, errors, note, error, advertiser, next } = props;
  const title = TITLES[writing];
  return (
    <Page
      title={title}
      note={note}
      error={error}
      faults={error === null ? [] : faultsOf(errors, FIELD_IDS, NAMED)}
      scripts={[...PREVIEW_SCRIPTS, ...COUNTER_SCRIPTS]}
    >
      {next?.isHere && <NextStep step={next} />}
      {writing === "version" && (
        <p>
          The advertisement that you begin with stays as it is, and so do bids
          on it. The new version is reviewed separately.
        </p>
      )}
      <p>
        What ads may say:{" "}
        <a href={POLICIES_URL}>creative policies</a>. A person reviews each ad
        by them.
      </p>
      <Fields {...props} />
      <section aria-labelledby="preview">
        <h2 id="preview">Preview</h2>
        <Preview copy={typed} advertiser={advertiser} heading="h3" />
      </section>
    </Page>
  );
}

function Fields(
  { action, token, typed, errors, maySubmit }: CreativeFormProps,
) {
  const { headline, description, targetUrl } = COPY_FIELDS;
  return (
    <Form action={action}>
      <Hidden name="token" value={token} />
      <Field
        name={headline}
        label={LABELS.headline}
        hint={`${HEADLINE.min} to ${HEADLINE.max} characters`}
        value={typed.headline}
        error={errors[headline] ?? null}
        counted={HEADLINE.max}
        required
      />
      <TextArea
        name={description}
        label={LABELS.description}
        hint={`${DESCRIPTION.min} to ${DESCRIPTION.max} characters, ` +
          "without line breaks"}
        value={typed.description}
        error={errors[description] ?? null}
        rows={4}
        counted={DESCRIPTION.max}
        required
      />
      <Field
        name={targetUrl}
        label="Address of your page"
        hint="Where readers are led, such as example.com/spring"
        inputmode="url"
        value={typed.targetUrl}
        error={errors[targetUrl] ?? null}
        maxlength={TARGET_URL_MAX}
        required
      />
      <Buttons action={action} maySubmit={maySubmit} />
    </Form>
  );
}

function Buttons(
  { action, maySubmit }: Pick<CreativeFormProps, "action" | "maySubmit">,
) {
  return (
    <p class="buttons">
      {maySubmit && (
        <>
          {/* The first is what Enter presses: it can be gone back on. */}
          <button
            type="submit"
            class="unseen"
            name="do"
            value="save"
            tabindex={-1}
            aria-hidden="true"
          >
            Save draft
          </button>
          <button type="submit" class="main" name="do" value="submit">
            Submit for review
          </button>
        </>
      )}
      <button
        type="submit"
        class={maySubmit ? "plain" : "main"}
        name="do"
        value="save"
      >
        Save draft
      </button>
      <button
        type="submit"
        class="plain"
        name="do"
        value="preview"
        formaction={`${action}#preview`}
        formnovalidate
      >
        Preview
      </button>
    </p>
  );
}
