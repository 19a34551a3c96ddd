import { type Day, parseDay } from "../../../domain/day.ts";
import type { Form } from "../../http/form_body.ts";

/** Where an operator deals with what readers reported. */
export const REPORTS_PATH = "/operator/reports";

/** The page of one Spotlight's reports. */
export function reportsPath(day: Day): string {
  return `${REPORTS_PATH}/${day}`;
}

/** The field in which a form of that page says where it stood. */
export const REPORTS_OF = "reports_of";

/** Where a form leads back to that may stand on that page, too. */
export function backOf(form: Form, own: string): {
  path: string;
  fields: Readonly<Record<string, string>>;
} {
  const day = parseDay(form.text(REPORTS_OF));
  return day === null
    ? { path: own, fields: {} }
    : { path: reportsPath(day), fields: { [REPORTS_OF]: day } };
}
