import { PITCH_TEXT } from "../../../domain/partners/apply.ts";
import { LINK_NAME } from "../../../domain/partners/create_link.ts";
import type { Form } from "../../http/form_body.ts";
import { textFaults } from "../pages/text_faults.ts";

/** What was typed into one of the page's forms. */
export interface PartnerTyped {
  pitch: string;
  terms: boolean;
  /** Of a link. */
  name: string;
  country: string;
}

/** What is wrong with the fields of the form that was sent, in sentences. */
export type PartnerErrors = Readonly<
  Partial<Record<keyof PartnerTyped, string>>
>;

/** A form that comes back. */
export interface PartnerForm {
  typed: PartnerTyped;
  errors: PartnerErrors;
}

/** The forms before anything was typed. */
export const NOTHING_TYPED: PartnerForm = {
  typed: { pitch: "", terms: false, name: "", country: "" },
  errors: {},
};

/** Where each field is on the page. */
export const FIELD_IDS = {
  pitch: "pitch",
  terms: "terms",
  name: "name",
  country: "country",
} as const satisfies Record<keyof PartnerTyped, string>;

/** How those are called whose sentences do not say it. */
export const LABELS = { pitch: "Where you would recommend it", name: "Name" };

/** Longest text that is shown again. */
const SHOWN_MAX = 2_000;

/** What a form of the page says; the fields of the others are empty. */
export function readTyped(form: Form): PartnerTyped {
  return {
    pitch: form.text("pitch", SHOWN_MAX),
    terms: form.text("terms") === "yes",
    name: form.text("name", SHOWN_MAX),
    country: form.text("country"),
  };
}

/** What is wrong with asking to be a partner. */
export function applyErrors({ pitch, terms }: PartnerTyped): PartnerErrors {
  return {
    ...textFaults({ pitch }, { pitch: PITCH_TEXT }),
    ...!terms && { terms: "Accept the terms of the programme to go on." },
  };
}

/** What is wrong with a link. */
export function linkErrors({ name }: PartnerTyped): PartnerErrors {
  return textFaults({ name }, { name: LINK_NAME });
}
