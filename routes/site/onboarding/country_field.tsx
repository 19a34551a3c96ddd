import { COUNTRIES, type Country } from "../../../domain/tax/countries.ts";
import type { Html } from "../../pages/html.ts";

/** Chooses a country by its name, the member states first. */
export function CountryField(
  { value, error }: { value: string; error: string | null },
): Html {
  return (
    <div class="field">
      <label for="country">Country</label>
      <select
        id="country"
        name="country"
        autocomplete="country"
        aria-describedby={error === null ? undefined : "country-error"}
        aria-invalid={error === null ? undefined : "true"}
      >
        <option value="">Choose a country</option>
        <Group label="European Union" countries={COUNTRIES.eu} value={value} />
        <Group
          label="Other countries"
          countries={COUNTRIES.other}
          value={value}
        />
      </select>
      {error !== null && <p class="error" id="country-error">{error}</p>}
    </div>
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
