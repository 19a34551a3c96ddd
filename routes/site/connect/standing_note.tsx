import type { Scope } from "../../../domain/oauth/grant.ts";
import type { GrantOverview } from "../../../domain/oauth/list_grants.ts";
import type { Html } from "../../pages/html.ts";
import { SCOPE_TEXTS } from "../../../domain/oauth/scope_texts.ts";
import { showEuros } from "../../../domain/text/euros.ts";
import { Moment } from "../pages/moment.tsx";

/** What a yes changes for an agent that is connected already. */
export function StandingNote(
  { standing: { grant, mandateUse }, offered }: {
    standing: GrantOverview;
    /** What can be allowed: what it may do now, and what it asks for. */
    offered: readonly Scope[];
  },
): Html {
  const added = offered.filter((scope) => !grant.scopes.includes(scope));
  return (
    <section class="note">
      <h2>It is connected already</h2>
      <p>
        Since{" "}
        <Moment atMs={grant.createdAtMs} />. What you allow here replaces what
        you allowed before, wherever you use this agent: what is ticked below is
        all that it may do from now on.
      </p>
      {added.length === 0 ? <p>It asks for nothing new.</p> : (
        <>
          <p>New is:</p>
          <ul>
            {added.map((scope) => <li>{SCOPE_TEXTS[scope].label}</li>)}
          </ul>
        </>
      )}
      {mandateUse !== null && offered.includes("bids:write") && (
        <p>
          The spending limits below are the ones you set. It has used{" "}
          {showEuros(mandateUse.usedCents)} today, which still counts.
          {mandateUse.total !== null && (
            <>
              {" "}Of its total it has used{" "}
              {showEuros(mandateUse.total.usedCents)}, which counts against the
              total you set now: to give it more, set a larger one.
            </>
          )}
        </p>
      )}
    </section>
  );
}
