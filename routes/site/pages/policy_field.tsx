import { POLICIES, POLICY_IDS } from "../../../domain/creatives/policies.ts";
import type { Html } from "../../pages/html.ts";
import { Select } from "./forms.tsx";

/** What stands for none of the policies, where that may be chosen. */
const OTHER_POLICY = "other";

/** The choice of a published policy; nothing is chosen until somebody does. */
export function PolicyField(
  { label, value, error, choose, other }: {
    label: string;
    value: string;
    error: string | null;
    /** What stands there before anything is chosen. */
    choose: string;
    /** What the choice of none of them is called, where there is one. */
    other?: string;
  },
): Html {
  return (
    <Select name="policy_id" label={label} error={error}>
      <option value="" selected={value === ""}>{choose}</option>
      {POLICY_IDS.map((id) => (
        <option value={id} selected={value === id}>
          {POLICIES[id].title}
        </option>
      ))}
      {other !== undefined && (
        <option value={OTHER_POLICY} selected={value === OTHER_POLICY}>
          {other}
        </option>
      )}
    </Select>
  );
}
