import { refuse } from "../../domain/refusal.ts";
import { type BodySource, readBody, utf8Text } from "./body.ts";

/** Longest form that is read; the longest of ours has about 2 KiB. */
export const FORM_MAX_BYTES = 16 * 1024;

/** Most fields of a form; the longest of ours has about 60. */
export const FORM_FIELDS_MAX = 400;

/** Longest field, in UTF-16 units, where the route says nothing else. */
const FIELD_MAX = 1_100;
/** Most ticked values of a list. */
const LIST_MAX = 300;

const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(;|$)/i;

/** What a browser sent with a form. */
export interface Form {
  /**
   * A field as it was typed, ends trimmed; empty when it was not sent. It is
   * cut after `max` UTF-16 units, more than whoever reads it allows.
   */
  text(name: string, max?: number): string;
  /** The ticked values of a list, the first 300 at most; empty when none is. */
  list(name: string): readonly string[];
}

/** Whether what was sent says that it is a form. */
export function isForm({ req }: Pick<BodySource, "req">): boolean {
  return FORM_TYPE.test(req.raw.headers.get("content-type") ?? "");
}

/**
 * Reads a urlencoded form of 16 KiB at most, again as often as it is asked for.
 * Only the named lists may have several values; any other field that is sent
 * twice is refused, since which one counts would be a guess.
 *
 * @throws {Refused} `bad_request`
 */
export async function readForm(
  source: BodySource,
  lists: readonly string[] = [],
): Promise<Form> {
  const fields = await fieldsOf(source);
  const repeated = firstRepeated(fields, lists);
  if (repeated !== null) {
    const quoted = JSON.stringify(repeated.slice(0, 100));
    badForm(`the field ${quoted} must be sent once`);
  }
  return {
    text: (name, max = FIELD_MAX) =>
      (fields.get(name)?.trim() ?? "").slice(0, max),
    list: (name) => fields.getAll(name).slice(0, LIST_MAX),
  };
}

/**
 * Reads one field of it ahead of whoever knows which others there are; null where
 * it was not sent.
 *
 * @throws {Refused} `bad_request`
 */
export async function readField(
  source: BodySource,
  name: string,
): Promise<string | null> {
  return (await fieldsOf(source)).get(name)?.slice(0, FIELD_MAX) ?? null;
}

/** Of each request that is under way: a body can be read once. */
const fieldsRead = new WeakMap<BodySource, Promise<URLSearchParams>>();

function fieldsOf(source: BodySource): Promise<URLSearchParams> {
  const reading = fieldsRead.get(source) ?? readFields(source);
  fieldsRead.set(source, reading);
  return reading;
}

async function readFields(source: BodySource): Promise<URLSearchParams> {
  if (!isForm(source)) {
    badForm("its media type must be application/x-www-form-urlencoded");
  }
  const text = await readText(source);
  // Counted before they are decoded, which takes as long as there are many.
  if (text.split("&", FORM_FIELDS_MAX + 1).length > FORM_FIELDS_MAX) {
    badForm(`it must have ${FORM_FIELDS_MAX} fields at most`);
  }
  return new URLSearchParams(text);
}

function firstRepeated(
  fields: URLSearchParams,
  lists: readonly string[],
): string | null {
  const seen = new Set<string>();
  for (const name of fields.keys()) {
    if (seen.has(name) && !lists.includes(name)) return name;
    seen.add(name);
  }
  return null;
}

async function readText(source: BodySource): Promise<string> {
  const body = await readBody(source, FORM_MAX_BYTES);
  if (body === "too_long") {
    badForm(`it must be of ${FORM_MAX_BYTES} bytes at most`);
  }
  const text = body === "cut_off" ? null : utf8Text(body);
  return text ?? badForm("it must arrive whole, in UTF-8");
}

function badForm(wanted: string): never {
  refuse({ code: "bad_request", message: `Cannot read the form: ${wanted}` });
}
