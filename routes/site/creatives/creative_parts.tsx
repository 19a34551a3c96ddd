import type { Creative } from "../../../domain/creatives/creative.ts";
import { POLICIES } from "../../../domain/creatives/policies.ts";
import { Button, Form } from "../pages/forms.tsx";
import type { Html } from "../../pages/html.ts";

/** Why it was turned down: the policy, what was wrong, what to do. */
export function Why(
  { creative: { state, rejection } }: { creative: Creative },
): Html | null {
  if (rejection === undefined || state !== "rejected") return null;
  const { policyId, message, remedy } = rejection;
  return (
    <div class="note warning">
      <p>
        <strong>{POLICIES[policyId].title}.</strong>{" "}
        <span dir="auto">{message}</span>
      </p>
      <p>
        What to do: <span dir="auto">{remedy}</span>
      </p>
      <p class="quiet">
        Policy <code>{policyId}</code>: {POLICIES[policyId].rule}
      </p>
    </div>
  );
}

/** A field for a text that may be longer than a line. */
export function TextArea(
  { name, label, hint, value, error, rows = 3, scope }: {
    name: string;
    label: string;
    hint: string;
    value: string;
    error: string | null;
    rows?: number;
    /** Keeps the element's id apart where a page has the field several times. */
    scope?: string;
  },
): Html {
  const id = scope === undefined ? name : `${name}-${scope}`;
  const described = [
    `${id}-hint`,
    ...error === null ? [] : [`${id}-error`],
  ];
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <p class="quiet" id={`${id}-hint`}>{hint}</p>
      <textarea
        id={id}
        name={name}
        rows={rows}
        autocomplete="off"
        aria-describedby={described.join(" ")}
        aria-invalid={error === null ? undefined : "true"}
      >
        {/* Browsers drop the first line break, so one is put before any. */}
        {`\n${value}`}
      </textarea>
      {error !== null && <p class="error" id={`${id}-error`}>{error}</p>}
    </div>
  );
}

/** What takes a press of a button, and a second one that means it. */
export function Confirmed(
  { action, what, button }: { action: string; what: string; button: string },
): Html {
  return (
    <details>
      <summary>{what}</summary>
      <Form action={action}>
        <Button kind="danger">{button}</Button>
      </Form>
    </details>
  );
}
