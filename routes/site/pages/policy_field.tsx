import { POLICIES, POLICY_IDS } from "../../../domain/creatives/policies.ts";
import type { Html } from "../../pages/html.ts";
import { Select } from "./forms.tsx";

/** The choice of a published policy, or of none where `none` names that. */
export function PolicyField(
  { label, value, error, none }: {
    label: string;
    value: string;
    error: string | null;
    /** What the choice of no policy is called. */
    none: string;
  },
): Html {
  return (
    <Select name="policy_id" label={label} error={error}>
      <option value="" selected={value === ""}>{none}</option>
      {POLICY_IDS.map((id) => (
        <option value={id} selected={value === id}>
          {POLICIES[id].title}
        </option>
      ))}
    </Select>
  );
}
