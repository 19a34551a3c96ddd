import type { OperatorAct } from "../../../domain/audit/operator_act.ts";
import { readAudit } from "../../../domain/audit/read_audit.ts";
import { DAY_MS } from "../../../domain/day.ts";
import type { Services } from "../../../domain/ports.ts";
import type { Html } from "../../pages/html.ts";
import { Cards } from "../pages/page.tsx";
import { ActCard } from "./audit_page.tsx";
import { auditAddress } from "./audit_view.ts";

/** Lines that a page shows of what it is about. */
const SHOWN_MAX = 5;

/** What operators did last about a day, an account or an ad. */
export async function readLatestActs(
  { store, clock }: Pick<Services, "store" | "clock">,
  subject: string,
): Promise<readonly OperatorAct[]> {
  const untilMs = clock.now() + DAY_MS;
  const filter = { subject, person: null, fromMs: 0, untilMs };
  const page = { limit: SHOWN_MAX, before: null };
  return (await readAudit({ store }, filter, page)).acts;
}

/** The same as they are shown, with the way to all of them. */
export function AuditLines(
  { subject, acts }: { subject: string; acts: readonly OperatorAct[] },
): Html {
  const asked = { subject, person: "", from: "", to: "" };
  return (
    <section>
      <h2>What operators did</h2>
      <Cards
        none="No operator has done anything about it."
        of={acts.map((act) => <ActCard act={act} />)}
      />
      {acts.length > 0 && (
        <p class="quiet">
          <a href={auditAddress(asked)}>All of it, in the audit</a>
        </p>
      )}
    </section>
  );
}
