import type { Form } from "../../http/form_body.ts";

/** Of a page's rendering, from `ids.secret()`. */
const TOKEN_SHAPE = /^[A-Za-z0-9_-]{43}$/;

/** The token of the page that a form was sent from; null for none of ours. */
export function tokenOf(form: Form): string | null {
  const token = form.text("token");
  return TOKEN_SHAPE.test(token) ? token : null;
}
