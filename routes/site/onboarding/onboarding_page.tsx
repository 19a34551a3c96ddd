import { PAGES } from "../../../domain/pages.ts";
import type { Company, Rename } from "../../../domain/accounts/account.ts";
import {
  COMPANY_LIMITS,
  type CompanyText,
} from "../../../domain/accounts/company_form.ts";
import { Button, faultsOf, Field, Form, Select } from "../pages/forms.tsx";
import type { Html } from "../../pages/html.ts";
import { type CompanyErrors, FIELD_NAMES } from "./company_fields.ts";
import type { EligibilityReason } from "../../../domain/refusal.ts";
import { WayOut } from "../ui/way_out.tsx";
import { VatSection } from "./vat_section.tsx";
import type { VatStatus } from "../first_steps/vat_status.ts";
import { COUNTRIES, type Country } from "../../../domain/tax/countries.ts";
import {
  leadsOn,
  NextStep,
  type StepAhead,
} from "../first_steps/next_step.tsx";
import { Page } from "../pages/page.tsx";
import { type Step, Steps } from "../ui/steps.tsx";

/** What the onboarding page shows. */
export interface OnboardingPageProps {
  /** False until the company has been saved once. */
  onboarded: boolean;
  typed: CompanyText;
  errors: CompanyErrors;
  company: Company | null;
  /** Another name that was asked for; null for none. */
  rename: Rename | null;
  vat: VatStatus | null;
  /** Whom to write to. */
  askAt: string;
  /** Whether a simulator answers in the place of the registry. */
  isInDevelopment: boolean;
  /** Whether the company is where companies may bid. */
  isServed: boolean;
  /** The steps to a first bid; null where only bidding is left. */
  steps: readonly Step[] | null;
  obstacles: readonly EligibilityReason[];
  done: string | null;
  /** Where the way to a first bid goes on; null where only bidding is left. */
  next: StepAhead | null;
}

/** `/onboarding`: the company, and what is left until it can bid. */
export function OnboardingPage(props: OnboardingPageProps): Html {
  const { onboarded, errors, vat, done, next } = props;
  return (
    <Page
      title="Your company"
      note={done}
      faults={faultsOf(errors, FIELD_NAMES)}
    >
      <NextStep step={next} />
      <p>
        {onboarded
          ? "Your ads show the name; your invoices show all of this. You can " +
            "change it at any time, but VAT id and country only while no bid " +
            "of yours stands. We may review a new name first."
          : "Only companies advertise here. Your ads show the name; your " +
            "invoices show all of this."}
      </p>
      <RenameNote {...props} />
      <CompanyForm {...props} />
      {vat !== null && <VatSection status={vat} {...props} />}
      <UntilFirstBid {...props} />
    </Page>
  );
}

/** That another name waits, or was refused, and what readers see meanwhile. */
function RenameNote({ company, rename }: OnboardingPageProps) {
  if (company === null || rename === null) return null;
  const { name, refusal } = rename;
  return (
    <p class={refusal === undefined ? "note" : "note warning"}>
      {refusal === undefined
        ? (
          <>
            You asked for the name{" "}
            <bdi>{name}</bdi>. We look at it and write to you; until then your
            advertisements and invoices show <bdi>{company.name}</bdi>.
          </>
        )
        : (
          <>
            The name <bdi>{name}</bdi> was not approved:{" "}
            <span dir="auto">{refusal}</span> Your company is still called{" "}
            <bdi>{company.name}</bdi>.
          </>
        )}
    </p>
  );
}

function CompanyForm(
  { typed, errors, onboarded, vat, next }: OnboardingPageProps,
) {
  const field = (name: keyof CompanyText) => ({
    name: FIELD_NAMES[name],
    value: typed[name],
    error: errors[name] ?? null,
    maxlength: COMPANY_LIMITS[name],
    // Some companies have no VAT id, and some countries no postal codes.
    required: name !== "vatId" && name !== "postalCode",
  });
  return (
    <Form action="/onboarding">
      <Field
        {...field("name")}
        label="Company name"
        hint="As it is registered"
        autocomplete="organization"
        autofocus={!onboarded && Object.keys(errors).length === 0}
      />
      <CountryField value={typed.country} error={errors.country ?? null} />
      <Field
        {...field("vatId")}
        label="VAT id"
        hint={vat?.kind === "valid"
          ? "Another VAT id has to be verified anew; until then you can’t bid."
          : "Such as DE123456789. Without one you can’t bid"}
      />
      <Field
        {...field("line1")}
        label="Street and number"
        autocomplete="address-line1"
      />
      <Field
        {...field("postalCode")}
        label="Postal code"
        autocomplete="postal-code"
      />
      <Field {...field("city")} label="City" autocomplete="address-level2" />
      <Button kind={leadsOn(next) ? "plain" : "main"}>
        {onboarded ? "Save changes" : "Save company"}
      </Button>
    </Form>
  );
}

/** The five steps with this one among them, and what else is in the way. */
function UntilFirstBid({ isServed, steps, obstacles }: OnboardingPageProps) {
  if (!isServed) return <NotServed />;
  return (
    <section>
      <h2>Until your first bid</h2>
      {steps !== null && <Steps of={steps} isOverview />}
      {steps === null && obstacles.length === 0 && (
        <p>
          Everything is done: <a href={PAGES.bids}>place a bid</a>.
        </p>
      )}
      {obstacles.length > 0 && (
        <>
          <p>You can’t bid for now:</p>
          <ul>
            {obstacles.map((reason) => (
              <li>
                <WayOut step={reason} />
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function NotServed() {
  return (
    <section>
      <h2>You can’t bid yet</h2>
      <p>
        Companies outside of the European Union can’t bid yet, so there is
        nothing else to do: no identity to check and no card to save. You can
        read everything, and connect agents that do.
      </p>
    </section>
  );
}

/** Chooses a country by its name, the member states first. */
function CountryField(
  { value, error }: { value: string; error: string | null },
): Html {
  return (
    <Select
      name="country"
      label="Country"
      hint="Only companies in the European Union can bid today"
      autocomplete="country"
      error={error}
      required
    >
      <option value="">Choose a country</option>
      <Group label="European Union" countries={COUNTRIES.eu} value={value} />
      <Group
        label="Other countries, which can’t bid yet"
        countries={COUNTRIES.other}
        value={value}
      />
    </Select>
  );
}

function Group(
  { label, countries, value }: {
    label: string;
    countries: readonly Country[];
    value: string;
  },
) {
  return (
    <optgroup label={label}>
      {countries.map(({ code, name }) => (
        <option value={code} selected={code === value}>
          {name}
        </option>
      ))}
    </optgroup>
  );
}
