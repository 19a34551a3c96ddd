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
