import { POLICIES, POLICY_IDS } from "../../../domain/creatives/policies.ts";
import type { Html } from "../../pages/html.ts";

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
    <div class="field">
      <label for="policy_id">{label}</label>
      <select
        id="policy_id"
        name="policy_id"
        aria-invalid={error === null ? undefined : "true"}
        aria-describedby={error === null ? undefined : "policy_id-error"}
      >
        <option value="" selected={value === ""}>{none}</option>
        {POLICY_IDS.map((id) => (
          <option value={id} selected={value === id}>
            {POLICIES[id].title}
          </option>
        ))}
      </select>
      {error !== null && <p class="error" id="policy_id-error">{error}</p>}
    </div>
  );
}
