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

/** What the form held when it was sent. */
export function typedCopy(form: Form): Copy {
  const text = (part: keyof Copy) => form.text(COPY_FIELDS[part], SHOWN_MAX);
  return {
    headline: text("headline"),
    description: text("description"),
    targetUrl: text("targetUrl"),
  };
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
