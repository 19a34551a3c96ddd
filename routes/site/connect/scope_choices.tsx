import type { Scope } from "../../../domain/oauth/grant.ts";
import { isPartnerScope } from "../../../domain/oauth/withheld_scopes.ts";
import type { Html } from "../../pages/html.ts";
import { isWriteScope } from "../../scope_texts.ts";
import { Hidden } from "../pages/forms.tsx";
import {
  SCOPE_TEXTS,
  type ScopeText,
} from "../../../domain/oauth/scope_texts.ts";
import { groupsIn, type ScopeGroup } from "./scope_groups.ts";

/**
 * The permissions to tick: those that go together as one choice each, of the
 * others those that change something apart. Spending is asked for below.
 */
export function ScopeChoices(
  props: {
    offered: readonly Scope[];
    ticked: readonly Scope[];
    error: string | null;
  },
): Html {
  const { offered, error } = props;
  const groups = groupsIn(offered);
  const grouped = groups.flatMap(({ scopes }) => scopes);
  const single = offered.filter((scope) =>
    !grouped.includes(scope) && scope !== "bids:write"
  );
  return (
    <>
      {error !== null && <p class="error" id="scope-error">{error}</p>}
      <Hidden name="shown" value={groups.map(({ id }) => id).join(" ")} />
      <Choices {...props} legend="It may" groups={groups} />
      <Choices
        {...props}
        legend="It may see"
        scopes={single.filter((scope) => !isWriteScope(scope))}
      />
      <Choices
        {...props}
        legend="It may change"
        scopes={single.filter(isWriteScope)}
      />
    </>
  );
}

/** What is asked for and can't be granted by this account. */
export function WithheldScopes(
  { scopes }: { scopes: readonly Scope[] },
): Html {
  return (
    <>
      <Withheld scopes={scopes.filter(isPartnerScope)}>
        It also asks for what only verified partner accounts have. Yours is not
        one, so these can’t be allowed:
      </Withheld>
      <Withheld scopes={scopes.filter((scope) => !isPartnerScope(scope))}>
        It also asks to spend money. This is an operator’s account, which never
        bids, so this can’t be allowed:
      </Withheld>
    </>
  );
}

function Withheld(
  { scopes, children }: { scopes: readonly Scope[]; children?: Html },
) {
  if (scopes.length === 0) return null;
  return (
    <section class="note">
      <p>{children}</p>
      <ul>
        {scopes.map((scope) => <li>{SCOPE_TEXTS[scope].label}</li>)}
      </ul>
    </section>
  );
}

function Choices(
  { legend, groups = [], scopes = [], ticked, error }: {
    legend: string;
    groups?: readonly ScopeGroup[];
    scopes?: readonly Scope[];
    ticked: readonly Scope[];
    error: string | null;
  },
) {
  if (groups.length + scopes.length === 0) return null;
  return (
    <fieldset aria-describedby={error === null ? undefined : "scope-error"}>
      <legend>{legend}</legend>
      {groups.map((group) => <GroupChoice group={group} ticked={ticked} />)}
      {scopes.map((scope) => (
        <ScopeChoice scope={scope} ticked={ticked.includes(scope)} />
      ))}
    </fieldset>
  );
}

/** One choice; what it is made of can be unticked inside of it. */
function GroupChoice(
  { group: { id, scopes, ...text }, ticked }: {
    group: ScopeGroup;
    ticked: readonly Scope[];
  },
) {
  const left = scopes.filter((scope) => ticked.includes(scope));
  const isPart = left.length > 0 && left.length < scopes.length;
  return (
    <Choice name="choice" value={id} ticked={left.length > 0} text={text}>
      <details open={isPart}>
        <summary>Allow only a part of this</summary>
        {scopes.map((scope) => (
          // Unticked as a whole, it is whole again when it is ticked.
          <ScopeChoice
            scope={scope}
            ticked={left.length === 0 || left.includes(scope)}
          />
        ))}
      </details>
    </Choice>
  );
}

/** One permission. */
export function ScopeChoice(
  { scope, ticked }: { scope: Scope; ticked: boolean },
): Html {
  const text = SCOPE_TEXTS[scope];
  return <Choice name="scope" value={scope} ticked={ticked} text={text} />;
}

function Choice(
  { name, value, ticked, text: { label, detail }, children }: {
    name: "choice" | "scope";
    value: string;
    ticked: boolean;
    text: ScopeText;
    children?: Html;
  },
) {
  const id = `${name}-${value.replace(":", "-")}`;
  return (
    <div class="tick">
      <input
        type="checkbox"
        id={id}
        name={name}
        value={value}
        checked={ticked}
        aria-describedby={`${id}-detail`}
      />
      <div>
        <label for={id}>{label}</label>
        <p class="quiet" id={`${id}-detail`}>{detail}</p>
        {children}
      </div>
    </div>
  );
}
