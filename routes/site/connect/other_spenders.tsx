import type { Spender } from "../../../domain/oauth/list_spenders.ts";
import type { Html } from "../../pages/html.ts";
import { showEuros } from "../../../domain/text/euros.ts";

/** Agents that are named; of more of them only their number is said. */
const NAMED_MAX = 5;

/** What other agents may bid on one day, each and together. */
export function OtherSpenders(
  { spenders }: { spenders: readonly Spender[] },
): Html | null {
  if (spenders.length === 0) return null;
  const named = spenders.slice(0, NAMED_MAX);
  const more = spenders.length - named.length;
  const together = spenders.reduce((sum, each) => sum + each.dailyCapCents, 0);
  return (
    <div class="note">
      <p>Other agents may already bid for you, each this much a day:</p>
      <ul>
        {named.map(({ client, dailyCapCents }) => (
          <li>
            <bdi>{client.name}</bdi>: up to {showEuros(dailyCapCents)}
          </li>
        ))}
        {more > 0 && <li>and {more} more</li>}
      </ul>
      <p>
        Together that is{" "}
        <strong>{showEuros(together)} a day</strong>. What you allow here comes
        on top of it.
      </p>
    </div>
  );
}
