import { PAGES } from "../../../domain/pages.ts";
import type { Passkey } from "../../../domain/passkeys/passkey.ts";
import { PASSKEY_NAME_MAX } from "../../../domain/passkeys/passkey_name.ts";
import type { Html } from "../../pages/html.ts";
import { useFormOwner } from "../../pages/layout.tsx";
import { Button, type Faults, Field, Form, Hidden } from "../pages/forms.tsx";
import { Moment } from "../pages/moment.tsx";
import { Cards } from "../pages/page.tsx";

/** A name that a passkey could not be given. */
export interface RefusedName {
  passkeyId: string;
  name: string;
  error: string;
}

/** What is wrong with the name of a passkey, of several on the page. */
export function nameFaults(refused: RefusedName | null): Faults {
  return refused === null ? [] : [[`name-${refused.passkeyId}`, refused.error]];
}

/** The passkeys of an account, and the way to another one. */
export function Passkeys(
  { passkeys, refused, isOperator }: {
    passkeys: readonly Passkey[];
    /** Null for none. */
    refused: RefusedName | null;
    isOperator: boolean;
  },
): Html {
  return (
    <section id="passkeys">
      <h2>Passkeys</h2>
      <p>
        A passkey signs you in with your fingerprint, face or device lock: no
        mail, nothing to type, and nothing that a false site could take.{" "}
        {isOperator
          ? "Once you have one, a code by e-mail only lets you look at the desk."
          : "A code by e-mail always works as well."}
      </p>
      <Cards
        of={passkeys.map((passkey) => (
          <PasskeyCard
            passkey={passkey}
            refused={refused?.passkeyId === passkey.id ? refused : null}
          />
        ))}
      />
      <div
        id="passkey-add"
        data-sign-in="/sign-in"
        data-shown-to={useFormOwner() ?? undefined}
        hidden
      >
        <p class="note error" role="alert" hidden></p>
        <button type="button" class="main">Add a passkey</button>
      </div>
      <noscript>
        <p class="quiet">Adding a passkey needs JavaScript.</p>
      </noscript>
    </section>
  );
}

function PasskeyCard(
  { passkey, refused }: { passkey: Passkey; refused: RefusedName | null },
) {
  const { id, name, createdAtMs, lastUsedAtMs } = passkey;
  return (
    <li>
      <p>
        <strong>{name}</strong>
      </p>
      <p class="quiet">
        Added <Moment atMs={createdAtMs} />,{" "}
        {lastUsedAtMs === null ? "not used yet" : (
          <>
            last used <Moment atMs={lastUsedAtMs} />
          </>
        )}
        {passkey.backedUp && ", on your other devices too"}
      </p>
      <details open={refused !== null}>
        <summary>
          Change <span class="unseen">passkey {name}</span>
        </summary>
        <Form action={`${PAGES.settings}/passkeys/rename`}>
          <Hidden name="passkey" value={id} />
          <Field
            name="name"
            scope={id}
            label="Name"
            value={refused?.name ?? name}
            error={refused?.error ?? null}
            maxlength={PASSKEY_NAME_MAX}
            required
          />
          <Button kind="plain">Rename</Button>
        </Form>
        <Form action={`${PAGES.settings}/passkeys/remove`}>
          <Hidden name="passkey" value={id} />
          <Button kind="danger">
            Remove <span class="unseen">passkey {name}</span>
          </Button>
        </Form>
      </details>
    </li>
  );
}
