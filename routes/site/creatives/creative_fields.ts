import type { Copy } from "../../../domain/creatives/creative.ts";
import {
  COPY_FIELDS,
  fieldProblems,
} from "../../../domain/creatives/creative_refusal.ts";
import { readCopy } from "../../../domain/creatives/read_copy.ts";
import { TARGET_URL_MAX } from "../../../domain/creatives/target_url.ts";
import type { Form } from "../../http/form_body.ts";

/** What was wrong, by the field's name in the form. */
export type CopyErrors = Readonly<Record<string, string>>;

/** Longest text of a field that is shown again. */
const SHOWN_MAX = TARGET_URL_MAX + 100;

/** A form before anything is typed. */
export const NO_COPY: Copy = { headline: "", description: "", targetUrl: "" };

/** What the form held when it was sent, its address with the scheme it has to have. */
export function typedCopy(form: Form): Copy {
  const text = (part: keyof Copy) => form.text(COPY_FIELDS[part], SHOWN_MAX);
  return {
    headline: text("headline"),
    description: text("description"),
    targetUrl: withScheme(text("targetUrl")),
  };
}

/**
 * People write `bakery.example/bread`: it gets the scheme that they leave out. What
 * names another scheme, a port or a person stays as it is, to be told about. The
 * preview's script reads the same (`creative_preview.js`).
 */
function withScheme(typed: string): string {
  const address = typed.trim();
  const [host] = address.split(/[/?#]/, 1);
  const isBareHost = host?.includes(".") && !/[\s:@\\]/.test(host);
  return isBareHost ? `https://${address}` : typed;
}

/** What is said beside the fields; empty where nothing is wrong. */
export function copyErrors(typed: Copy): CopyErrors {
  const reading = readCopy(typed);
  if (reading.ok) return {};
  return Object.fromEntries(
    fieldProblems(reading.problems)
      .map(({ field, message }) => [field, message]),
  );
}
