/**
 * Texts that cost far more than letters where somebody is careless, and bodies
 * that hold them.
 *
 * @module
 */

/** A kind of text: as many units as are asked for. */
export type MakeText = (length: number) => string;

const filled = (unit: string): MakeText => (length) =>
  unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
const between = (unit: string): MakeText => (length) =>
  `a${filled(unit)(Math.max(length - 2, 0))}a`;

/** What all others are compared with. */
export const LETTERS: MakeText = filled("a");

/** Kinds of text, by what is odd about them. */
export const HOSTILE: Readonly<Record<string, MakeText>> = {
  spaces: between(" "),
  lines: between(" \n"),
  marks: between("\u0301\u0323"),
  jamo: between("\u1100\u1161\u11a8"),
  emoji: between("😀"),
  dots: filled("a."),
  ats: filled("a@"),
  slashes: filled("https://"),
  percents: filled("%E0%A4%A"),
  digits: filled("1"),
  brackets: filled("[{("),
  quotes: filled('"\\'),
};

/** Those that a header can hold. */
export const HOSTILE_HEADERS: Readonly<Record<string, MakeText>> = {
  spaces: between(" "),
  commas: filled("a,"),
  weights: filled("text/html;q=0.1,"),
  quotes: filled('"a", W/'),
  digits: filled("1.1.1.1, "),
};

/** Those that a path can hold. */
export const HOSTILE_PATHS: Readonly<Record<string, MakeText>> = {
  segments: filled("a/"),
  slashes: (length) => `a${filled("/")(length - 1)}`,
  "slashes to the end": (length) => `a/${filled("/")(length - 2)}`,
  "encoded letters": filled("%61"),
  "no UTF-8": filled("%ff/"),
  "no UTF-8, and a sign astray": (length) => `${filled("%ffa")(length - 3)}%zz`,
  dots: filled("a./"),
};

// deno-lint-ignore no-explicit-any -- JSON and JSON Schema of any shape
type Any = any;

/** A value that fits a JSON Schema, all members there. */
export function sampleOf(schema: Any, definitions: Any = {}): Any {
  if (schema.$ref) {
    return sampleOf(definitions[schema.$ref.split("/").at(-1)], definitions);
  }
  if ("const" in schema) return schema.const;
  if (schema.enum) return schema.enum[0];
  const choice = schema.anyOf ?? schema.oneOf;
  if (choice) return sampleOf(choice[0], definitions);
  if (schema.type === "object") {
    const members: [string, Any][] = Object.entries(schema.properties ?? {});
    return Object.fromEntries(
      members.map(([name, each]) => [name, sampleOf(each, definitions)]),
    );
  }
  if (schema.type === "array") return [sampleOf(schema.items, definitions)];
  if (schema.type === "string") {
    if (schema.format === "date") return "2026-11-21";
    return schema.pattern?.includes("pm_") ? "pm_1" : "abcdefghijklmnop";
  }
  if (schema.type === "boolean") return true;
  return schema.minimum ?? 1;
}

/**
 * The value with each of its texts in turn replaced, as JSON of so many bytes
 * at most.
 */
export function bodiesOf(value: Any, make: MakeText, bytes: number): string[] {
  return placesOf(value).map((place) =>
    longest(
      bytes,
      (length) => JSON.stringify(replaced(value, place, make(length))),
    )
  );
}

/** The value with members too many, and a list instead of it. */
export function crowdsOf(value: Any, bytes: number): string[] {
  const many = (length: number) =>
    Array.from({ length: Math.ceil(length / 8) }, (_, i) => `a${i}`);
  return [
    longest(bytes, (length) =>
      JSON.stringify({
        ...value,
        ...Object.fromEntries(many(length).map((name, i) => [name, i])),
      })),
    longest(bytes, (length) => JSON.stringify(many(length))),
  ];
}

/** The largest that fits, by halving. */
function longest(bytes: number, make: (length: number) => string): string {
  const size = (text: string) => new TextEncoder().encode(text).byteLength;
  let fits = "";
  let low = 0;
  let high = bytes;
  while (high - low > bytes / 64) {
    const length = Math.floor((low + high) / 2);
    const text = make(length);
    if (size(text) <= bytes) [fits, low] = [text, length];
    else high = length;
  }
  return fits;
}

type Place = readonly string[];

function placesOf(value: Any): Place[] {
  if (typeof value === "string") return [[]];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) =>
    placesOf(each).map((place) => [name, ...place])
  );
}

function replaced(value: Any, [name, ...rest]: Place, text: string): Any {
  if (name === undefined) return text;
  if (Array.isArray(value)) {
    return value.map((each, i) =>
      String(i) === name ? replaced(each, rest, text) : each
    );
  }
  return { ...value, [name]: replaced(value[name], rest, text) };
}
