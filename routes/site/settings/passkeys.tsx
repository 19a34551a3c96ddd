import { PAGES } from "../../../domain/pages.ts";
import type { Passkey } from "../../../domain/passkeys/passkey.ts";
import { PASSKEY_NAME_MAX } from "../../../domain/passkeys/passkey_name.ts";
import type { Html } from "../../pages/html.ts";
import { Button, Field, Form, Hidden } from "../pages/forms.tsx";
import { Moment } from "../pages/moment.tsx";
import { Cards } from "../pages/page.tsx";

/** The passkeys of an account, and the way to another one. */
export function Passkeys(
  { passkeys, isOperator }: {
    passkeys: readonly Passkey[];
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
        of={passkeys.map((passkey) => <PasskeyCard passkey={passkey} />)}
      />
      <div
        id="passkey-add"
        data-sign-in="/sign-in"
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

function PasskeyCard({ passkey }: { passkey: Passkey }) {
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
      <details>
        <summary>
          Change <span class="unseen">passkey {name}</span>
        </summary>
        <Form action={`${PAGES.settings}/passkeys/rename`}>
          <Hidden name="passkey" value={id} />
          <Field
            name="name"
            scope={id}
            label="Name"
            value={name}
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
