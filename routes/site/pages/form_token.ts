import {
  type Json,
  requestHash,
} from "../../../domain/idempotency/canonical_json.ts";
import type { Binding } from "../../../domain/idempotency/replay.ts";
import type { Form } from "../../http/form_body.ts";
import type { PageRequest } from "./advertiser_page.ts";

/** Of a page's rendering, from `ids.secret()`. */
const TOKEN_SHAPE = /^[A-Za-z0-9_-]{43}$/;

/** The token of the page that a form was sent from; null for none of ours. */
export function tokenOf(form: Form): string | null {
  const token = form.text("token");
  return TOKEN_SHAPE.test(token) ? token : null;
}

/**
 * What a second click repeats, so that it makes nothing a second time: the page
 * and what was typed there. Null for a form that was sent from no page of ours.
 */
export function onceOf(
  { accountId: owner, context }: Pick<PageRequest, "accountId" | "context">,
  form: Form,
  typed: Json,
): Binding | null {
  const token = tokenOf(form);
  if (token === null) return null;
  const hash = requestHash(typed);
  return {
    owner,
    operation: `POST ${context.req.path}`,
    key: `${token}.${hash}`,
    requestHash: hash,
  };
}
