import type { Scope } from "../../../domain/oauth/grant.ts";
import type { Spender } from "../../../domain/oauth/list_spenders.ts";
import { PAGES } from "../../../domain/pages.ts";
import type { Html } from "../../pages/html.ts";
import type { ConsentDraft, ConsentErrors } from "../connect/consent_form.ts";
import {
  MANDATE_IDS,
  MANDATE_LABELS,
  MandateFields,
} from "../connect/mandate_fields.tsx";
import { ScopeChoices } from "../connect/scope_choices.tsx";
import { Button, faultsOf, Form } from "../pages/forms.tsx";
import { Page } from "../pages/page.tsx";
import { changePath } from "./agent_card.tsx";

/** What the page to change an agent shows. */
export interface ChangePageProps {
  grantId: string;
  name: string;
  /** All that the account can allow an agent. */
  offered: readonly Scope[];
  draft: ConsentDraft;
  errors: ConsentErrors;
  /** The person has signed in again and finds the form as it was. */
  resumed: boolean;
  needsSignIn: boolean;
  days: { first: string; last: string };
  /** The other agents that may spend. */
  spenders: readonly Spender[];
}

/** `/agents/{grant}`: what a connected agent may do, to be changed. */
export function ChangePage(props: ChangePageProps): Html {
  const { grantId, name, draft, errors, offered } = props;
  const faulty = Object.keys(errors).length > 0;
  return (
    <Page
      title="Change an agent"
      heading={
        <>
          What <bdi>{name}</bdi> may do
        </>
      }
      note={props.resumed && !faulty
        ? "You are signed in again. The form is as you left it: check it and " +
          "press Save."
        : null}
      error={faulty ? "Nothing has been changed yet:" : null}
      faults={faultsOf(errors, MANDATE_IDS, MANDATE_LABELS)}
    >
      <p>
        What is ticked is all that it may do from now on, wherever you use it.
        What you take away ends at once. What you add it can use as soon as it
        refreshes its access: most agents do so by themselves, within the hour
        at most.
      </p>
      <Form action={changePath(grantId)} class="consent stacked">
        <ScopeChoices
          offered={offered}
          ticked={draft.scopes}
          error={errors.scopes ?? null}
        />
        {offered.includes("bids:write") && (
          <MandateFields
            draft={draft}
            errors={errors}
            days={props.days}
            spenders={props.spenders}
          />
        )}
        {props.needsSignIn && (
          <p class="note">
            Some of these permissions take a sign-in of the last 10 minutes. If
            they are ticked, Save first leads to the sign-in and then back here,
            with the form as you left it.
          </p>
        )}
        <div class="buttons">
          <Button>Save</Button>
          <a href={PAGES.agents}>Back without a change</a>
        </div>
      </Form>
    </Page>
  );
}
