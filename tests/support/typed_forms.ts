/**
 * The forms of a page in which something is typed or chosen, read out of its
 * HTML, and what a page that answers one says of what is wrong with it.
 *
 * @module
 */
import { assert, assertEquals, assertMatch } from "@std/assert";

/** A field that a person fills in. */
export interface TypedField {
  name: string;
  id: string;
  kind: "text" | "choice" | "tick";
  isRequired: boolean;
  /** One of several boxes, of which one may be ticked. */
  isRadio: boolean;
  /** A code is not shown again. */
  isCode: boolean;
  /** What it holds before anything is done: null for a box that is not ticked. */
  value: string | null;
  /** What may be chosen. */
  options: readonly string[];
}

/** A form that is sent by POST. */
export interface SentForm {
  /** The path and query of where it is sent. */
  action: string;
  fields: readonly TypedField[];
  /** What goes with it that nobody types. */
  hidden: readonly (readonly [name: string, value: string])[];
}

/** The forms of a page that change something. */
export function formsOf(html: string): SentForm[] {
  const shapes = html.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs);
  return [...shapes].flatMap(([, head = "", inside = ""]) => {
    const attributes = attributesOf(head);
    if (attributes.get("method") !== "post") return [];
    const elements = elementsOf(inside);
    return [{
      action: attributes.get("action") ?? "",
      fields: elements.flatMap((each) => fieldOf(each) ?? []),
      hidden: [
        ...elements.filter(({ attributes }) =>
          attributes.get("type") === "hidden"
        ).map(({ attributes }) => pairOf(attributes)),
        ...firstButton(inside),
      ],
    }];
  });
}

/** What the button adds that is pressed where somebody presses Enter. */
function firstButton(inside: string): (readonly [string, string])[] {
  const [, head = ""] = /<button\b([^>]*)>/.exec(inside) ?? [];
  const attributes = attributesOf(head);
  return attributes.has("name") ? [pairOf(attributes)] : [];
}

function pairOf(
  attributes: ReadonlyMap<string, string>,
): readonly [name: string, value: string] {
  return [attributes.get("name") ?? "", attributes.get("value") ?? ""];
}

interface Element {
  tag: string;
  attributes: ReadonlyMap<string, string>;
  inside: string;
}

function elementsOf(html: string): Element[] {
  const found = html.matchAll(
    /<(input)\b([^>]*)>|<(textarea|select)\b([^>]*)>(.*?)<\/\3>/gs,
  );
  return [...found].map(([, input, own, tag = "", head, inside = ""]) => ({
    tag: input ?? tag,
    attributes: attributesOf(own ?? head ?? ""),
    inside,
  }));
}

function fieldOf({ tag, attributes, inside }: Element): TypedField | null {
  const type = attributes.get("type") ?? "text";
  if (type === "hidden") return null;
  const name = attributes.get("name") ?? "";
  const field = {
    name,
    id: attributes.get("id") ?? name,
    isRequired: attributes.has("required"),
    isRadio: type === "radio",
    isCode: attributes.get("autocomplete") === "one-time-code",
    options: [],
  };
  const value = attributes.get("value") ?? "";
  if (type === "checkbox" || type === "radio") {
    const isTicked = attributes.has("checked");
    const options = [value];
    return { ...field, kind: "tick", options, value: isTicked ? value : null };
  }
  if (tag === "select") return { ...field, kind: "choice", ...choices(inside) };
  // The line break before the text is none of it.
  const text = tag === "textarea"
    ? unescaped(inside.replace(/^\n/, ""))
    : value;
  return { ...field, kind: "text", value: text };
}

function choices(inside: string): Pick<TypedField, "options" | "value"> {
  const options = [...inside.matchAll(/<option\b([^>]*)>/g)]
    .map(([, head = ""]) => attributesOf(head));
  const chosen = options.find((each) => each.has("selected")) ?? options[0];
  return {
    options: options.map((each) => each.get("value") ?? ""),
    value: chosen?.get("value") ?? "",
  };
}

function attributesOf(head: string): Map<string, string> {
  const found = head.matchAll(/([\w-]+)(?:="([^"]*)")?/g);
  return new Map(
    [...found].map(([, name = "", text = ""]) =>
      [name, unescaped(text)] as const
    ),
  );
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  "#39": "'",
};

function unescaped(text: string): string {
  return text.replace(/&(\w+|#39);/g, (all, name) => ENTITIES[name] ?? all);
}

/** What a form is sent with, what is not filled in left as the page has it. */
export function bodyOf(
  { hidden, fields }: SentForm,
  fill: (field: TypedField) => string | null,
): URLSearchParams {
  const filled = fields.flatMap((field) => {
    const value = fill(field);
    return value === null ? [] : [[field.name, value] as [string, string]];
  });
  return new URLSearchParams([...hidden.map(([...pair]) => pair), ...filled]);
}

/**
 * The ids of the fields that a page says are wrong. Asserts that its title says
 * so, that each field is described by a sentence of its own, and that its note
 * has the focus and leads to each of them; or, where one field is all that the
 * page is about, that the field itself has the focus.
 */
export function faultyIds(html: string): string[] {
  assertMatch(html, /<title>Error: /);
  const faulty = [
    ...html.matchAll(/<(?:input|textarea|select|fieldset)\b([^>]*)>/g),
  ]
    .map(([, head = ""]) => attributesOf(head))
    .filter((attributes) => attributes.get("aria-invalid") === "true");
  const ids = faulty.map((attributes) => attributes.get("id") ?? "");
  const said = new Map<string, string>();
  for (const [at, attributes] of faulty.entries()) {
    const id = ids[at] ?? "";
    const described = attributes.get("aria-describedby")?.split(" ") ?? [];
    assert(described.includes(`${id}-error`), `${id} is not described`);
    const [, sentence = ""] =
      new RegExp(`<p class="error" id="${id}-error">(.+?)</p>`).exec(html) ??
        [];
    assert(sentence !== "", `${id}: nothing says what is wrong`);
    if (!said.has(sentence)) said.set(sentence, id);
  }
  const [note = ""] =
    /<div class="note error" [^>]*autofocus="">.*?<\/div>/s.exec(html) ?? [];
  const links = [...note.matchAll(/<a href="#([\w-]+)">/g)].map(([, id]) => id);
  // What is said of several fields at once may be said, and linked, once.
  const once = [...said.values()];
  if (links.length === 0 && ids.length === 1) {
    assert(faulty[0]?.has("autofocus"), `${ids} has not the focus`);
  } else assertEquals(links, links.length === once.length ? once : ids);
  return ids;
}
