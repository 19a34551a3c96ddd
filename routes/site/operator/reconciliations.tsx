import { unreachable } from "../../../domain/invariant.ts";
import type {
  ComparedPart,
  Difference,
  Reconciliation,
} from "../../../domain/reconciliation/reconciliation.ts";
import { signedEuros } from "../../../domain/text/euros.ts";
import { DayTime } from "../ui/day_time.tsx";
import type { Html } from "../../pages/html.ts";

/** What comparing the books came to, day by day. */
export function Reconciliations(
  { reports }: { reports: readonly Reconciliation[] },
): Html {
  const differing = reports.filter(({ differences }) => differences.length > 0);
  return (
    <section>
      <h2>Compared with the processor</h2>
      <p>{verdictOf(reports, differing)}</p>
      {differing.map((report) => <Differing report={report} />)}
      {reports.length > 0 && (
        <details>
          <summary>Every day that was compared</summary>
          <ul class="quiet">
            {reports.map(({ day, ...report }) => (
              <li>
                <DayTime day={day} />: {report.movements} movements,{" "}
                {report.entries} entries, {report.invoices} invoices,{" "}
                {report.differences.length + report.moreDifferences} differences
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

function verdictOf(
  reports: readonly Reconciliation[],
  differing: readonly Reconciliation[],
): string {
  if (reports.length === 0) return "No day has been compared yet.";
  if (differing.length === 0) {
    return "Ledger, processor and archive agree on every day shown here.";
  }
  const days = differing.length === 1 ? "one day" : `${differing.length} days`;
  return `Something differs on ${days}. Nothing was changed by itself.`;
}

function Differing({ report }: { report: Reconciliation }): Html {
  const { day, differences, moreDifferences } = report;
  return (
    <section>
      <h3>
        <DayTime day={day} />
      </h3>
      <ul>
        {differences.map((each) => <li>{inWords(each)}</li>)}
        {moreDifferences > 0 && <li>and {moreDifferences} more</li>}
      </ul>
    </section>
  );
}

/** What there is more of than one comparison reads. */
const NOT_READ: Readonly<Record<ComparedPart, string>> = {
  commissions: "There are more commissions than are added up",
  disputes: "There are more disputes than are looked at in a night",
  entries: "The ledger has more entries of the day than are read",
  entries_of_payment:
    "The ledger has more entries of one payment than are read",
  invoices: "The processor has more invoices than are read",
  movements: "The processor has more movements of a day than are read",
  numbers: "More numbers of invoices were left out than are looked for",
};

/** What differs, as one sentence. */
export function inWords(difference: Difference): string {
  switch (difference.kind) {
    case "not_booked":
      return `The processor moved ${signedEuros(difference.amountCents)} of ` +
        `${difference.paymentId ?? "no payment"} (${difference.movementId}), ` +
        "which is not in the ledger.";
    case "not_moved":
      return `The ledger has ${signedEuros(difference.amountCents)} of ` +
        `${difference.paymentId ?? "no payment"} (${difference.entryId}), ` +
        "which the processor has not moved.";
    case "unbalanced":
      return `The entry ${difference.entryId} is off by ` +
        `${signedEuros(difference.amountCents)}.`;
    case "invoice_unknown":
      return `The processor has the invoice ${difference.number} ` +
        `(${difference.invoiceId}), which is not known here.`;
    case "invoice_differs":
      return `The invoice ${difference.number} is "${difference.ours}" here ` +
        `and "${difference.theirs}" at the processor.`;
    case "number_missing":
      return `The number ${difference.number} belongs to no invoice known ` +
        "here.";
    case "not_archived":
      return `The document ${difference.number} is not in the archive.`;
    case "number_repeated":
      return `The number ${difference.number} was given twice.`;
    case "commission_uncounted":
      return `The commission of the invoice ${difference.commissionOf} was not ` +
        "counted.";
    case "commission_not_booked":
      return `The commission of the invoice ${difference.commissionOf} is off ` +
        `the ledger by ${signedEuros(difference.amountCents)}.`;
    case "partner_differs":
      return `The balance of the partner ${difference.partnerId} is off its ` +
        `commissions by ${signedEuros(difference.amountCents)}.`;
    case "payouts_differ":
      return `The payouts of the partner ${difference.partnerId} are off its ` +
        `balance by ${signedEuros(difference.amountCents)}.`;
    case "not_fully_compared":
      return `${NOT_READ[difference.what]}, so the day is not fully compared.`;
    default:
      return unreachable(difference);
  }
}
