import { isoTime } from "../../../domain/day.ts";
import type { MetricsSale } from "../../../domain/paid_metrics/presentation.ts";
import { toBase64url } from "../../http/base64url.ts";
import { externalIdOf, METHOD } from "./challenge.ts";

/** The value of `Payment-Receipt`: "base64url receipt". Not signed. */
export function receiptOf({ report, intentId, paidAtMs }: MetricsSale): string {
  return toBase64url(JSON.stringify({
    method: METHOD,
    status: "success",
    timestamp: isoTime(paidAtMs),
    reference: intentId,
    externalId: externalIdOf(report.data.day),
  }));
}
