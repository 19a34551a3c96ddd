import {
  type Callback,
  type Delivery,
  isTaken,
} from "../../../domain/callbacks/callback.ts";
import { PAGES } from "../../../domain/pages.ts";
import type { Html } from "../../pages/html.ts";
import { CALLBACK_URL_MAX } from "../../shapes/callback_body.ts";
import { Button, Field, Form, Tick } from "../pages/forms.tsx";
import { Moment } from "../pages/moment.tsx";
import { Page } from "../pages/page.tsx";

/** What the page shows of a connection's webhook. */
export interface WebhookView {
  grantId: string;
  agent: string;
  callback: Callback | null;
  /** A secret that was just made: it is never shown again. */
  secret: string | null;
  /** What was typed, where it could not be taken, and why. */
  refused: { url: string; rotates: boolean; error: string } | null;
  note: string | null;
}

/** `/agents/{grant}/webhook`: where an agent is told of events. */
export function WebhookPage({ view }: { view: WebhookView }): Html {
  const { agent, callback, secret, note, refused } = view;
  const off = offNote(callback);
  return (
    <Page
      title="Webhook of an agent"
      heading={
        <>
          Webhook of <bdi>{agent}</bdi>
        </>
      }
      note={note}
      faults={refused === null ? [] : [["url", refused.error]]}
    >
      {off !== null && <p class="note warning">{off}</p>}
      <p>
        Events of your account that this agent may see are sent to its address,
        signed with a secret that only you, the agent and we know. What they say
        is in <a href="/developers.md#events">the documentation</a>.
      </p>
      {secret !== null && <Secret secret={secret} />}
      <Address view={view} />
      {callback !== null && <Deliveries view={view} callback={callback} />}
      <p>
        <a href={PAGES.agents}>Your agents</a>
      </p>
    </Page>
  );
}

function offNote(callback: Callback | null): string | null {
  switch (callback?.off ?? null) {
    case null:
      return null;
    case "failing":
      return "This webhook is switched off: its address took no message for " +
        "a day. Save the address to switch it on again.";
    case "secret_gone":
      return "This webhook is switched off: its secret is no longer valid. " +
        "Save the address to get another one.";
  }
}

function Secret({ secret }: { secret: string }) {
  return (
    <section>
      <h2>Signing secret</h2>
      <p>Copy it now: it is not shown again.</p>
      <p>
        <code>{secret}</code>
      </p>
    </section>
  );
}

function Address({ view }: { view: WebhookView }) {
  const { callback, refused } = view;
  return (
    <section>
      <h2>Where events are sent</h2>
      <Form action={webhookPath(view)}>
        <Field
          name="url"
          label="Address"
          hint="Begins with https:// and is on the public internet. Leave it empty for none."
          value={refused?.url ?? callback?.url ?? ""}
          error={refused?.error ?? null}
          maxlength={CALLBACK_URL_MAX}
        />
        {callback !== null && (
          <Tick name="rotate" value="yes" checked={refused?.rotates ?? false}>
            Make another secret. The present one signs for a day longer.
          </Tick>
        )}
        <Button>Save</Button>
      </Form>
    </section>
  );
}

function Deliveries(
  { view, callback }: { view: WebhookView; callback: Callback },
) {
  const { deliveries } = callback;
  return (
    <section>
      <h2>Last messages</h2>
      {deliveries.length === 0 ? <p>None was sent yet.</p> : (
        <ul class="cards">
          {deliveries.map((each) => (
            <Sent view={view} delivery={each} isOn={callback.off === null} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Sent(
  { view, delivery, isOn }: {
    view: WebhookView;
    delivery: Delivery;
    isOn: boolean;
  },
) {
  const { position, type, atMs, status } = delivery;
  return (
    <li>
      <p>
        <code>{type}</code>, <Moment atMs={atMs} />: {endedHow(status)}.
      </p>
      {isOn && (
        <Form action={`${webhookPath(view)}/replay`}>
          <input type="hidden" name="event" value={String(position)} />
          <Button>
            Send again<span class="unseen">
              : {type} of <Moment atMs={position} />
            </span>
          </Button>
        </Form>
      )}
    </li>
  );
}

function endedHow(status: number | null): string {
  if (status === null) return "no answer";
  return isTaken(status) ? "taken" : `answered with ${status}`;
}

/** Where the page of a connection's webhook is. */
export function webhookPath({ grantId }: { grantId: string }): string {
  return `${PAGES.agents}/${encodeURIComponent(grantId)}/webhook`;
}
