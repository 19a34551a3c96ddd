import type { Spender } from "../../../domain/oauth/list_spenders.ts";
import { showEuros } from "../../../domain/text/euros.ts";
import { Field } from "../pages/forms.tsx";
import type { Html } from "../../pages/html.ts";
import type { ConsentDraft, ConsentErrors } from "./consent_form.ts";
import { OtherSpenders } from "./other_spenders.tsx";
import { ScopeChoice } from "./scope_choices.tsx";

/** Where what the form is told of stands, in its order. */
export const MANDATE_IDS: Readonly<Record<keyof ConsentErrors, string>> = {
  scopes: "scope-error",
  maxBid: "max_bid",
  dailyCap: "daily_cap",
  validUntil: "valid_until",
  totalCap: "total_cap",
};

/** What the amounts are called, as a sentence about one does not tell which. */
export const MANDATE_LABELS = {
  maxBid: "Highest single bid, in euros",
  dailyCap: "Most it may bid on one day, in euros",
  totalCap: "Most it may bid until then in all, in euros (optional)",
};

/**
 * Whether the agent may spend, and how much. No amount is proposed but what the
 * person has set before: they say it.
 */
export function MandateFields(
  { draft, errors, days, spenders, usedBeforeCents = 0 }: {
    draft: ConsentDraft;
    errors: ConsentErrors;
    days: { first: string; last: string };
    /** The other agents that may spend. */
    spenders: readonly Spender[];
    /** What it used today before it was disconnected, cents. */
    usedBeforeCents?: number;
  },
): Html {
  return (
    <fieldset class="mandate">
      <legend>It may spend</legend>
      <ScopeChoice
        scope="bids:write"
        ticked={draft.scopes.includes("bids:write")}
      />
      <p>
        You pay what a winning bid says. It can never bid beyond these limits;
        the tightest one counts. Untick it if it should not spend anything.
      </p>
      <OtherSpenders spenders={spenders} />
      {usedBeforeCents > 0 && (
        <p class="note">
          It was connected before and has used{" "}
          <strong>{showEuros(usedBeforeCents)} today</strong>{" "}
          (UTC), which still counts against what you let it bid on one day.
        </p>
      )}
      <Field
        name="max_bid"
        label={MANDATE_LABELS.maxBid}
        hint="For one day’s Spotlight, such as 12.50"
        value={draft.maxBid}
        error={errors.maxBid ?? null}
        inputmode="decimal"
        maxlength={20}
      />
      <Field
        name="daily_cap"
        label={MANDATE_LABELS.dailyCap}
        hint="All its bids of a day (UTC) together; a raise counts by what it adds"
        value={draft.dailyCap}
        error={errors.dailyCap ?? null}
        inputmode="decimal"
        maxlength={20}
      />
      <Field
        name="valid_until"
        type="date"
        label="Last day it may bid"
        hint={`From ${days.first} to ${days.last}, to the end of the day in UTC`}
        value={draft.validUntil}
        error={errors.validUntil ?? null}
      />
      <Field
        name="total_cap"
        label={MANDATE_LABELS.totalCap}
        hint="All its bids together from today on, and what it used of a total that has not ended. Leave it empty for no total."
        value={draft.totalCap}
        error={errors.totalCap ?? null}
        inputmode="decimal"
        maxlength={20}
      />
    </fieldset>
  );
}
