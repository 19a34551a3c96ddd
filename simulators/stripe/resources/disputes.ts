/**
 * `/v1/disputes`.
 *
 * @module
 */

import type { Call } from "../call.ts";
import { mayTurn, turnDispute } from "../dispute.ts";
import { EVIDENCE_TEXTS } from "../dispute_evidence.ts";
import { invalidRequest } from "../errors.ts";
import { listPage, PAGING_BY_TIME } from "../lists.ts";
import { mergeMetadata, metadata } from "../metadata.ts";
import type { Dispute, EvidenceText } from "../objects.ts";
import {
  emptyable,
  flag,
  nested,
  type Read,
  type Rule,
  text,
} from "../params.ts";
import { retrieveRoute, type Route, route } from "../route.ts";

const LINE = emptyable(text(20_000));
const EVIDENCE = Object.fromEntries(
  EVIDENCE_TEXTS.map((name) => [name, LINE]),
) as Record<EvidenceText, Rule<string | null>>;

const LIST_SHAPE = {
  ...PAGING_BY_TIME,
  charge: text(255),
  payment_intent: text(255),
};

const UPDATE_SHAPE = {
  evidence: nested(EVIDENCE),
  metadata: metadata(),
  submit: flag(),
};

/** Retrieve, list, answer and accept disputes. */
export const disputeRoutes: Route[] = [
  route(
    "GET",
    "/v1/disputes",
    LIST_SHAPE,
    (call, params) =>
      listPage(call, "dispute", "/v1/disputes", params, {
        filed: params.charge === undefined
          ? ["payment_intent", params.payment_intent]
          : ["charge", params.charge],
        where: ({ payment_intent }) =>
          params.payment_intent === undefined ||
          payment_intent === params.payment_intent,
      }),
  ),
  retrieveRoute("/v1/disputes/:id", "dispute"),
  route("POST", "/v1/disputes/:id", UPDATE_SHAPE, update),
  route("POST", "/v1/disputes/:id/close", {}, close),
];

/** Evidence is sent to the bank unless `submit` says no. */
function update(
  call: Call,
  params: Read<typeof UPDATE_SHAPE>,
  id = "",
): Dispute {
  const dispute = call.get("dispute", id);
  const changed = call.put("dispute", {
    ...dispute,
    metadata: mergeMetadata(dispute.metadata, params.metadata),
  });
  if (params.evidence === undefined) {
    call.emit("charge.dispute.updated", changed, dispute);
    return changed;
  }
  if (!mayTurn(changed, "under_review")) {
    throw invalidRequest("This dispute is already closed", {
      param: "evidence",
    });
  }
  const submits = params.submit ?? true;
  const given = { ...changed.evidence, ...params.evidence };
  const { evidence_details: details } = changed;
  const answered = call.put("dispute", {
    ...changed,
    evidence: given as Dispute["evidence"],
    evidence_details: {
      ...details,
      has_evidence: true,
      submission_count: details.submission_count + (submits ? 1 : 0),
      submission_method: submits ? "manual" : details.submission_method,
    },
  });
  if (submits) return turnDispute(call, answered, "under_review");
  call.emit("charge.dispute.updated", answered, dispute);
  return answered;
}

/** The seller accepts the dispute and loses it. */
function close(call: Call, _: unknown, id = ""): Dispute {
  const dispute = call.get("dispute", id);
  if (mayTurn(dispute, "lost")) return turnDispute(call, dispute, "lost");
  throw invalidRequest("This dispute is already closed");
}
