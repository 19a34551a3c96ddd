import type { Child } from "@hono/hono/jsx";
import type { RejectionText } from "../../../domain/creatives/read_rejection.ts";
import type { Html } from "../../pages/html.ts";
import { Button, Form, TextArea } from "../pages/forms.tsx";
import { PolicyField } from "../pages/policy_field.tsx";

/** A rejection of which nothing was typed. */
export const NOTHING_TYPED: RejectionText = {
  policyId: "",
  message: "",
  remedy: "",
};

/** Its fields by their names, which are their places, too. */
export const TURN_DOWN_IDS: Readonly<Record<string, string>> = {
  policy_id: "policy_id",
  message: "message",
  remedy: "remedy",
};

/** How those are called whose sentences do not say it. */
export const TURN_DOWN_LABELS: Readonly<Record<string, string>> = {
  message: "What is wrong",
  remedy: "What to do about it",
};

/** The form that turns an advertisement down by a policy. */
export function TurnDown(
  { action, what, typed = NOTHING_TYPED, errors = {}, children }: {
    action: string;
    what: string;
    typed?: RejectionText;
    /** By the name of the field. */
    errors?: Readonly<Record<string, string>>;
    children?: Child;
  },
): Html {
  return (
    <Form action={action}>
      {children}
      <PolicyField
        label="Policy"
        choose="Choose a policy"
        value={typed.policyId}
        error={errors.policy_id ?? null}
      />
      <TextArea
        name="message"
        label="What is wrong"
        hint="A sentence about this advertisement. Its advertiser, and their agents, read it beside the policy"
        value={typed.message}
        error={errors.message ?? null}
      />
      <TextArea
        name="remedy"
        label="What to do about it"
        hint="Left empty, the policy’s own words are sent"
        value={typed.remedy}
        error={errors.remedy ?? null}
      />
      <Button kind="danger">{what}</Button>
    </Form>
  );
}
