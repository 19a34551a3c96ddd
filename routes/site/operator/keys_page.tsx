import {
  isGood,
  KEY_DAYS,
  KEY_NAME,
  type KeyScope,
  type OperatorKey,
} from "../../../domain/operator_keys/operator_key.ts";
import type { Html } from "../../pages/html.ts";
import {
  Button,
  faultsOf,
  Field,
  Form,
  Hidden,
  Select,
} from "../pages/forms.tsx";
import { Moment } from "../pages/moment.tsx";
import { Cards, Facts, Page } from "../pages/page.tsx";
import { COUNTER_SCRIPTS } from "../pages/script_routes.ts";
import { KEYS_PATH } from "./paths.ts";

/** What a key may do, in words. */
const SCOPE_WORDS: Readonly<Record<KeyScope, string>> = {
  read: "May read",
  act: "May read and act",
};

/** A key as it was asked for. */
export interface TypedKey {
  name: string;
  scope: KeyScope;
  days: string;
}

/** What is wrong with its fields, in sentences. */
export type KeyErrors = Readonly<Partial<Record<"name" | "days", string>>>;

const FIELD_IDS = { name: "name", days: "days" };

/** What the page shows. */
export interface KeysPageProps {
  /** Newest first. */
  keys: readonly OperatorKey[];
  nowMs: number;
  note: string | null;
  error: string | null;
  typed: TypedKey;
  errors: KeyErrors;
  /** Of this rendering: a form that is sent twice makes one key. */
  token: string;
}

/** `/operator/keys`: who or what else may use the operator API. */
export function KeysPage(
  { keys, nowMs, note, error, typed, errors, token }: KeysPageProps,
) {
  const good = keys.filter((key) => isGood(key, nowMs));
  const over = keys.filter((key) => !isGood(key, nowMs));
  return (
    <Page
      title="Keys"
      note={note}
      error={error}
      faults={faultsOf(errors, FIELD_IDS, { name: "Name" })}
      scripts={COUNTER_SCRIPTS}
    >
      <p>
        A key opens the operator API to a program. It is worth no more than you:
        it ends when you are no operator any more, and what it does is in the
        audit under its name.
      </p>
      <section>
        <h2>Good now</h2>
        <Cards
          none="No key was made here, or all have ended."
          of={good.map((key) => <KeyCard shown={key} isEnding />)}
        />
      </section>
      <section>
        <h2>Make a key</h2>
        <p>
          To replace one, make the new one first, put it where the old one is
          used, then end the old one: both are good meanwhile.
        </p>
        <NewKey {...typed} errors={errors} token={token} />
      </section>
      {over.length > 0 && (
        <section>
          <h2>Ended</h2>
          <Cards of={over.map((key) => <KeyCard shown={key} />)} />
        </section>
      )}
    </Page>
  );
}

function NewKey(
  { name, scope, days, errors, token }: TypedKey & {
    errors: KeyErrors;
    token: string;
  },
): Html {
  return (
    <Form action={KEYS_PATH}>
      <Hidden name="token" value={token} />
      <Field
        name="name"
        label="Name"
        hint="Who or what uses it; the audit says it"
        value={name}
        error={errors.name ?? null}
        counted={KEY_NAME.max}
        required
      />
      <Select name="scope" label="What it may do">
        {Object.entries(SCOPE_WORDS).map(([value, words]) => (
          <option value={value} selected={value === scope}>{words}</option>
        ))}
      </Select>
      <Field
        name="days"
        label="Good for, in days"
        hint={`${KEY_DAYS.min} to ${KEY_DAYS.max}`}
        value={days}
        error={errors.days ?? null}
        inputmode="numeric"
        maxlength={3}
        required
      />
      <Button>Make the key</Button>
    </Form>
  );
}

function KeyCard(
  { shown: key, isEnding = false }: { shown: OperatorKey; isEnding?: boolean },
): Html {
  const { id, name, scope, goodUntilMs, endedAtMs, lastUsedAtMs } = key;
  return (
    <li>
      <p>
        <strong>
          <bdi>{name}</bdi>
        </strong>
      </p>
      <Facts
        of={[
          ["Id", <code>{id}</code>],
          ["May", SCOPE_WORDS[scope].replace("May ", "")],
          ["Made", <Moment atMs={key.createdAtMs} />],
          endedAtMs === null
            ? ["Good until", <Moment atMs={goodUntilMs} />]
            : ["Ended", <Moment atMs={endedAtMs} />],
          [
            "Last used",
            lastUsedAtMs === null ? "not yet" : <Moment atMs={lastUsedAtMs} />,
          ],
        ]}
      />
      {isEnding && (
        <Form action={`${KEYS_PATH}/${id}/end`}>
          <Button kind="danger">
            End it <span class="unseen">{name}</span>
          </Button>
        </Form>
      )}
    </li>
  );
}

/** Shown once, when a key was made. */
export function NewKeyPage(
  { made, value }: { made: OperatorKey; value: string },
): Html {
  return (
    <Page title="Your new key" heading={<bdi>{made.name}</bdi>}>
      <p>
        Copy it now: it is shown once, and kept nowhere.
      </p>
      <p>
        <code>{value}</code>
      </p>
      <p>
        It is good until <Moment atMs={made.goodUntilMs} />. Send it as{" "}
        <code>Authorization: Bearer …</code>.
      </p>
      <p>
        <a href={KEYS_PATH}>All keys</a>
      </p>
    </Page>
  );
}
