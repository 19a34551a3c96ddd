import { Button, Form } from "../pages/forms.tsx";
import type { Html } from "../pages/html.ts";
import { Moment } from "../pages/moment.tsx";
import type { VatStatus } from "./vat_status.ts";

/** How the VAT id stands, said as it is, and a way to have it checked again. */
export function VatSection({ status }: { status: VatStatus }): Html {
  const { kind } = status;
  return (
    <section>
      <h2>VAT id</h2>
      <VatSentence status={status} />
      {kind !== "none" && kind !== "valid" && (
        <Form action="/onboarding/vat">
          <Button kind="plain">Check the VAT id now</Button>
        </Form>
      )}
    </section>
  );
}

function VatSentence({ status }: { status: VatStatus }) {
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
