import type { Scope } from "../../../domain/oauth/grant.ts";
import type { Html } from "../../pages/html.ts";
import { isWriteScope, SCOPE_TEXTS } from "../../scope_texts.ts";

/** The permissions to tick, those that change something apart. */
export function ScopeChoices(
  props: {
    offered: readonly Scope[];
    ticked: readonly Scope[];
    error: string | null;
  },
): Html {
  const { offered, error } = props;
  const reads = offered.filter((scope) => !isWriteScope(scope));
  const writes = offered.filter(isWriteScope);
  return (
    <>
      {error !== null && (
        <p class="error" role="alert" id="scope-error">{error}</p>
      )}
      <Choices {...props} legend="It may see" scopes={reads} />
      <Choices {...props} legend="It may change" scopes={writes} />
    </>
  );
}

/** What is asked for and can't be granted by this account. */
export function WithheldScopes(
  { scopes }: { scopes: readonly Scope[] },
): Html {
  return (
    <section class="note">
      <p>
        It also asks for what only verified partner accounts have. Yours is not
        one, so these can’t be allowed:
      </p>
      <ul>
        {scopes.map((scope) => <li>{SCOPE_TEXTS[scope].label}</li>)}
      </ul>
    </section>
  );
}

function Choices(
  { legend, scopes, ticked, error }: {
    legend: string;
    scopes: readonly Scope[];
    ticked: readonly Scope[];
    error: string | null;
  },
) {
  if (scopes.length === 0) return null;
  return (
    <fieldset aria-describedby={error === null ? undefined : "scope-error"}>
      <legend>{legend}</legend>
      {scopes.map((scope) => (
        <Choice scope={scope} ticked={ticked.includes(scope)} />
      ))}
    </fieldset>
  );
}

function Choice({ scope, ticked }: { scope: Scope; ticked: boolean }) {
  const { label, detail } = SCOPE_TEXTS[scope];
  const id = `scope-${scope.replace(":", "-")}`;
  return (
    <div class="tick">
      <input
        type="checkbox"
        id={id}
        name="scope"
        value={scope}
        checked={ticked}
        aria-describedby={`${id}-detail`}
      />
      <div>
        <label for={id}>{label}</label>
        <p class="quiet" id={`${id}-detail`}>{detail}</p>
      </div>
    </div>
  );
}
