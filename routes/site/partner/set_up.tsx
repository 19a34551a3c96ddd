import { COUNTRIES, type Country } from "../../../domain/tax/countries.ts";
import type { ConnectedAccount } from "../../../domain/partners/partner.ts";
import { SET_UP_RETURN } from "../../../domain/partners/set_up_account.ts";
import { PAGES } from "../../../domain/pages.ts";
import type { Html } from "../../pages/html.ts";
import { Button, Form, Select } from "../pages/forms.tsx";
import type { PartnerForm } from "./partner_form.ts";

const WHERE = "the payment processor";

/** What is left to do until a partner can be paid; nothing once it can. */
export function SetUp(
  { account, form: { typed, errors } }: {
    account: ConnectedAccount | null;
    form: PartnerForm;
  },
): Html | null {
  if (account?.payoutsEnabled) return null;
  if (account === null) {
    return (
      <section id="set-up">
        <h2>Where you are paid</h2>
        <p>
          One step is left: {WHERE}{" "}
          has to know who you are and where to pay you. Until then your links
          lead to the home page, and sign-ups are credited to nobody. What you
          give there, such as your bank account, we do not see.
        </p>
        <Form action={`${PAGES.partner}/set-up`}>
          <Select
            name="country"
            label="Country you live in, or your company is in"
            hint="It can’t be changed later"
            error={errors.country ?? null}
            autocomplete="country"
            required
          >
            <option value="">Choose a country</option>
            <Countries
              label="European Union"
              countries={COUNTRIES.eu}
              chosen={typed.country}
            />
            <Countries
              label="Other countries"
              countries={COUNTRIES.other}
              chosen={typed.country}
            />
          </Select>
          <Button>Set up payment</Button>
        </Form>
      </section>
    );
  }
  return (
    <section id="set-up">
      <h2>Where you are paid</h2>
      <Waiting account={account} />
    </section>
  );
}

function Waiting({ account }: { account: ConnectedAccount }): Html {
  switch (account.waitsFor) {
    case "refused":
      return (
        <p class="note warning">
          The payment processor does not pay you. Please write to us: we can’t
          change it, but what you have earned is still owed.
        </p>
      );
    case "processor":
      return (
        <p class="note">
          The payment processor is looking at what you gave; you have nothing to
          do. <a href={SET_UP_RETURN}>Look again</a>
        </p>
      );
    default:
      return (
        <>
          <p class="note warning">
            {account.detailsSubmitted
              ? "The payment processor needs something more from you before it can pay you, such as another bank account."
              : "You have not finished at the payment processor. Until then your links lead to the home page, and sign-ups are credited to nobody."}
          </p>
          <Form action={`${PAGES.partner}/set-up`}>
            <Button>Go on at the payment processor</Button>
          </Form>
        </>
      );
  }
}

function Countries(
  { label, countries, chosen }: {
    label: string;
    countries: readonly Country[];
    /** A country's code. */
    chosen: string;
  },
): Html {
  return (
    <optgroup label={label}>
      {countries.map(({ code, name }) => (
        <option value={code} selected={code === chosen}>{name}</option>
      ))}
    </optgroup>
  );
}
