/**
 * Texts that cost far more than letters where somebody is careless, and bodies
 * that hold them.
 *
 * @module
 */
import { JSON_PARTS_MAX } from "../../domain/text/parse_json.ts";

/** A kind of text: as many units as are asked for. */
export type MakeText = (length: number) => string;

const filled = (unit: string): MakeText => (length) =>
  unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
const between = (unit: string): MakeText => (length) =>
  `a${filled(unit)(Math.max(length - 2, 0))}a`;

/** Labels as long as parsers write them in ASCII, each of letters of its own. */
const LABELS = Array.from(
  { length: 32 },
  (_, nth) =>
    Array.from(
      { length: 999 },
      (_, at) => String.fromCodePoint(0x4e00 + (at * 7 + nth) % 20_000),
    ).join(""),
)
  .join(".");

/** An address whose host takes parsers far longer than its length. */
export const HOSTS: MakeText = (length) => `https://${LABELS}`.slice(0, length);

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
  hosts: HOSTS,
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

/** Those that a path or a query can hold. */
export const HOSTILE_PATHS: Readonly<Record<string, MakeText>> = {
  segments: filled("a/"),
  slashes: (length) => `a${filled("/")(length - 1)}`,
  "slashes to the end": (length) => `a/${filled("/")(length - 2)}`,
  "encoded letters": filled("%61"),
  "no UTF-8": filled("%ff/"),
  "no UTF-8, and a sign astray": (length) => `${filled("%ffa")(length - 3)}%zz`,
  dots: filled("a./"),
  parameters: filled("a&"),
  "encoded parameters": filled("%61=%61&"),
};

/** Those that a form can be. */
export const HOSTILE_FORMS: Readonly<Record<string, MakeText>> = {
  "signs astray": filled("%&"),
  "values of signs astray": filled("a=%&"),
  "blanks": filled("+&"),
  "question marks": filled("?&"),
  parameters: filled("a&"),
  "encoded parameters": filled("%61=%61&"),
};

/** An object with as many members as fit, the first of which has an escape. */
const escaped = (member: (nth: number) => string): MakeText => (length) => {
  const nths = Array.from({ length: length / 6 }, (_, nth) => nth);
  const members = nths.map(member).join("").slice(0, length - 10);
  return `{"\\n":1${members.slice(0, members.lastIndexOf(","))}}`;
};

/** Those that JSON can be. */
export const HOSTILE_JSON: Readonly<Record<string, MakeText>> = {
  "members, one with an escape": escaped((nth) => `,"${nth}":1`),
  "objects in objects, one with an escape": escaped((nth) => `,"a${nth}":{}`),
  "lists of lists": (length) => `[${"[],".repeat(length / 3 - 1)}[]]`,
  "quotes and signs": (length) => `["${'\\"'.repeat(length / 2 - 3)}"]`,
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

/** How many parts the samples have themselves, at most. */
const OWN_PARTS = 40;

/**
 * The value with a crowd in place of each of its objects and lists in turn: as
 * many parts as so many bytes hold, and as many of each kind as are taken.
 */
export function crowdsOf(
  value: Any,
  bytes: number,
  partsMax = JSON_PARTS_MAX,
): string[] {
  return containersOf(value).flatMap((place) => {
    const body = (crowd: Any) => JSON.stringify(replaced(value, place, crowd));
    return [
      longest(bytes, (count) => body(Array(count).fill({}))),
      ...CROWDS.map((crowd) => body(crowd(partsMax - OWN_PARTS))),
    ];
  });
}

/** What may stand where an object or a list should. */
const CROWDS: readonly ((count: number) => Any)[] = [
  (count) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`a${i}`, 1])),
  (count) => Array(count).fill(1),
  (count) => Array(count).fill({}),
];

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

/** The places of objects and lists, the value itself included. */
function containersOf(value: Any): Place[] {
  if (typeof value !== "object" || value === null) return [];
  const within = Object.entries(value).flatMap(([name, each]) =>
    containersOf(each).map((place) => [name, ...place])
  );
  return [[], ...within];
}

function replaced(value: Any, [name, ...rest]: Place, by: Any): Any {
  if (name === undefined) return by;
  if (Array.isArray(value)) {
    return value.map((each, i) =>
      String(i) === name ? replaced(each, rest, by) : each
    );
  }
  return { ...value, [name]: replaced(value[name], rest, by) };
}
