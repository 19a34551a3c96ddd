/**
 * `/v1/identity/verification_sessions`, type `document`.
 *
 * @module
 */

import type { Call } from "../call.ts";
import {
  currentVerification,
  newVerification,
  redactVerification,
} from "../identity.ts";
import { listPage, PAGING_BY_TIME } from "../lists.ts";
import { mergeMetadata, metadata } from "../metadata.ts";
import type { DocumentOptions, VerificationSession } from "../objects.ts";
import {
  emptyable,
  flag,
  list,
  nested,
  oneOf,
  type Read,
  required,
  text,
  url,
} from "../params.ts";
import { type Route, route } from "../route.ts";

const PATH = "/v1/identity/verification_sessions";

const CREATE_SHAPE = {
  client_reference_id: text(5_000),
  metadata: metadata(),
  options: nested({
    document: emptyable(nested({
      allowed_types: list(oneOf("driving_license", "id_card", "passport")),
      require_id_number: flag(),
      require_live_capture: flag(),
      require_matching_selfie: flag(),
    })),
  }),
  related_customer: text(255),
  return_url: url(),
  type: required(oneOf("document")),
};

const LIST_SHAPE = {
  ...PAGING_BY_TIME,
  client_reference_id: text(5_000),
  related_customer: text(255),
  status: oneOf("canceled", "processing", "requires_input", "verified"),
};

/** Create, retrieve, list and redact checks of identity. */
export const verificationSessionRoutes: Route[] = [
  route("POST", PATH, CREATE_SHAPE, create),
  route(
    "GET",
    PATH,
    LIST_SHAPE,
    (call, params) =>
      listPage(call, "verification_session", PATH, params, {
        filed: params.client_reference_id === undefined
          ? ["related_customer", params.related_customer]
          : ["client_reference_id", params.client_reference_id],
        where: ({ status, related_customer }) =>
          (params.status === undefined || status === params.status) &&
          (params.related_customer === undefined ||
            related_customer === params.related_customer),
      }),
  ),
  route(
    "GET",
    `${PATH}/:id`,
    {},
    (call, _, id = "") => currentVerification(call, id),
  ),
  route(
    "POST",
    `${PATH}/:id/redact`,
    {},
    (call, _, id = "") =>
      redactVerification(call, currentVerification(call, id)),
  ),
];

function create(
  call: Call,
  params: Read<typeof CREATE_SHAPE>,
): VerificationSession {
  const given = params.related_customer;
  const document = params.options?.document ?? undefined;
  return newVerification(call, {
    client_reference_id: params.client_reference_id ?? null,
    metadata: mergeMetadata({}, params.metadata),
    options: document === undefined
      ? { document: {} }
      : { document: document as DocumentOptions },
    related_customer: given === undefined
      ? null
      : call.get("customer", given, "related_customer").id,
    returnUrl: params.return_url ?? null,
  });
}
