import { PAGES } from "../../../domain/pages.ts";
import { WayOut } from "../ui/way_out.tsx";
import type { HumanStep } from "../../../domain/refusal.ts";
import { Button, Form } from "../pages/forms.tsx";
import type { Html } from "../../pages/html.ts";
import { Moment } from "../pages/moment.tsx";
import { NextStep, type StepAhead } from "../first_steps/next_step.tsx";
import type { IdentityStatus } from "./identity_status.ts";
import { Page } from "../pages/page.tsx";

/** `/identity`: how the check of a person stands, and the way to it. */
export function IdentityPage(
  { status, before, isServed, note, error, next }: {
    status: IdentityStatus;
    /** What has to be done before a check can begin. */
    before: readonly HumanStep[];
    /** Whether the company is where companies may bid. */
    isServed: boolean;
    /** What was done on the page before; null for nothing. */
    note: string | null;
    error: string | null;
    /** Where the way to a first bid goes on; null where only bidding is left. */
    next: StepAhead | null;
  },
): Html {
  return (
    <Page title="Your identity" note={note} error={error}>
      {(status.kind === "verified" || next?.isHere) && <NextStep step={next} />}
      {isServed || status.kind === "verified"
        ? <Sentence status={status} />
        : <NotServed />}
      {isServed && status.kind !== "verified" &&
        (before.length > 0
          ? <Before steps={before} />
          : <Start status={status} />)}
    </Page>
  );
}

/** Nobody is asked for a passport that helps with nothing. */
function NotServed() {
  return (
    <p class="note">
      Your company is outside of the European Union, where companies can’t bid
      yet. So there is nothing to verify: we ask for no document that would not
      help you.
    </p>
  );
}

function Sentence({ status }: { status: IdentityStatus }) {
  switch (status.kind) {
    case "verified":
      return (
        <p class="note" role="status">
          Your identity is verified
          {status.atMs !== null && (
            <>
              {" "}since <Moment atMs={status.atMs} />
            </>
          )}.
        </p>
      );
    case "none":
      return (
        <p>
          Before you can bid, we have to know that a real person answers for the
          company. You do this once.
        </p>
      );
    case "begun":
      return (
        <p class="note" role="status">
          You began a check that is not complete yet. If you left the page, you
          can begin again.
        </p>
      );
    case "processing":
      return (
        <p class="note" role="status">
          Your document is being checked. This takes a few minutes at most;{" "}
          <a href={`${PAGES.identity}/return`}>look again</a>.
        </p>
      );
    case "cancelled":
      return (
        <p class="note" role="status">
          The check was cancelled. You can begin again at any time.
        </p>
      );
    case "failed":
      return (
        <p class="note error" role="status">
          You are not verified yet. {status.reason}
        </p>
      );
  }
}

/** What comes first: each check is paid for, so that it is the last step. */
function Before({ steps }: { steps: readonly HumanStep[] }) {
  return (
    <section>
      <h2>What comes first</h2>
      <p>The check can begin once this is done:</p>
      <ul>
        {steps.map((step) => (
          <li>
            <WayOut step={step} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Start({ status: { kind } }: { status: IdentityStatus }) {
  return (
    <section>
      <h2>{kind === "none" ? "How it works" : "Try again"}</h2>
      <p>
        You show a passport, an identity card or a driving licence on a page of
        Stripe, our payment provider, and come back here. You need a camera, for
        which your phone will do, and a few minutes. We learn only whether it
        worked; the pictures stay at Stripe.
      </p>
      <Form action={`${PAGES.identity}/start`}>
        <Button kind={kind === "processing" ? "plain" : "main"}>
          {kind === "none" ? "Verify your identity" : "Begin a new check"}
        </Button>
      </Form>
    </section>
  );
}
