import { Button, Form } from "../pages/forms.tsx";
import type { Html } from "../../pages/html.ts";
import { Moment } from "../pages/moment.tsx";
import type { VatStatus } from "../first_steps/vat_status.ts";

/** How the VAT id stands, said as it is, and a way to have it checked again. */
export function VatSection(
  { status, askAt, isInDevelopment }: {
    status: VatStatus;
    /** Whom to write to. */
    askAt: string;
    /** Whether a simulator answers in the place of the registry. */
    isInDevelopment: boolean;
  },
): Html {
  const { kind } = status;
  return (
    <section>
      <h2>VAT id</h2>
      <VatSentence status={status} askAt={askAt} />
      {isInDevelopment && NOT_VALID.includes(kind) && (
        <p>
          In development the ending of an id decides:{" "}
          <a href="/developers/how-the-auction-works#vat-ids-in-development">
            which VAT ids pass
          </a>.
        </p>
      )}
      {CHECKABLE.includes(kind) && (
        <Form action="/onboarding/vat">
          <Button kind="plain">Check the VAT id now</Button>
        </Form>
      )}
    </section>
  );
}

/** What the registry, or an operator, has not confirmed, or not as it is. */
const NOT_VALID: readonly VatStatus["kind"][] = [
  "none",
  "invalid",
  "unknown",
  "compared",
];

/** What asking the registry again may change. */
const CHECKABLE: readonly VatStatus["kind"][] = [
  "invalid",
  "unasked",
  "unknown",
];

function VatSentence(
  { status, askAt }: { status: VatStatus; askAt: string },
) {
  switch (status.kind) {
    case "none":
      return (
        <p>
          {status.inUnion
            ? "You gave no VAT id. Bidding needs one."
            : "Bidding needs a VAT id of an EU member state, so a company " +
              "elsewhere can’t bid yet. Agents can be connected and read."}
        </p>
      );
    case "valid":
      return (
        <p>
          <strong>{status.vatId}</strong> is verified
          {status.atMs !== null && (
            <>
              {" "}since <Moment atMs={status.atMs} />
            </>
          )}.
        </p>
      );
    case "invalid":
      return (
        <p class="note error">
          The EU register (VIES) does not know <strong>{status.vatId}</strong>
          {" "}
          as valid. Correct it above, or ask your tax office to release it for
          the register and have it checked again.
        </p>
      );
    case "claimed":
      return <Claimed {...status} />;
    case "compared":
      return <Compared vatId={status.vatId} askAt={askAt} />;
    case "refused":
      return <Refused {...status} askAt={askAt} />;
    case "unasked":
      return (
        <p>
          <strong>{status.vatId}</strong>{" "}
          has the right form and is about to be checked with the EU register
          (VIES).
        </p>
      );
    case "unknown":
      return (
        <p class="note">
          We don’t know yet whether <strong>{status.vatId}</strong>{" "}
          is valid: the EU register (VIES) did not answer. That says nothing
          about your VAT id.{" "}
          {status.nextMs === null ? "Please have it checked again." : (
            <>
              We ask again by ourselves, next after{" "}
              <Moment atMs={status.nextMs} />.
            </>
          )}
        </p>
      );
  }
}

function Claimed(
  { vatId, registered }: { vatId: string; registered: string | null },
) {
  if (registered === null) {
    return (
      <p>
        The EU register (VIES) confirms{" "}
        <strong>{vatId}</strong>. It becomes yours here once your identity is
        checked and a card is saved. Some ids an operator looks at by hand
        first, whatever the company is called.
      </p>
    );
  }
  return (
    <p class="note warning">
      The EU register (VIES) confirms <strong>{vatId}</strong>{" "}
      for a company it calls{" "}
      <bdi>{registered}</bdi>. Correct the company’s name above if it is
      mistyped. Otherwise go on: an operator compares the two once your identity
      is checked and a card is saved.
    </p>
  );
}

/** The same whatever the reason: nobody learns who else has an account. */
function Compared({ vatId, askAt }: { vatId: string; askAt: string }) {
  return (
    <p class="note">
      The EU register (VIES) confirms{" "}
      <strong>{vatId}</strong>. An operator now compares it with your company by
      hand, as is done with some ids whatever the company is called, and writes
      to you. If the name above is not the registered one, correct it. An
      extract from the company register, sent to{" "}
      <a href={`mailto:${askAt}`}>{askAt}</a>, makes it quicker.
    </p>
  );
}

function Refused(
  { vatId, reason, askAt }: { vatId: string; reason: string; askAt: string },
) {
  return (
    <p class="note error">
      An operator could not confirm that <strong>{vatId}</strong>{" "}
      is your company’s: <span dir="auto">{reason}</span>{" "}
      Correct the name or the VAT id above, or write to{" "}
      <a href={`mailto:${askAt}`}>{askAt}</a>.
    </p>
  );
}
