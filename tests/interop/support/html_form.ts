/** A form of a page, with what it would send. */
export interface HtmlForm {
  action: string;
  fields: readonly FormField[];
}

/** One control of a form. */
export interface FormField {
  name: string;
  type: string;
  value: string;
  checked: boolean;
}

/** What a person changes in a form: texts, and the boxes that are ticked. */
export type FormChanges = Readonly<Record<string, string | readonly string[]>>;

/** Reads the one form of a page that is sent to the path. */
export function readForm(html: string, path: string): HtmlForm {
  const all = [...html.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)];
  const forms = all.map(([, attributes = "", body = ""]): HtmlForm => ({
    action: attributesOf(attributes).action ?? "",
    fields: [...body.matchAll(/<(input|button)\b([^>]*)>/g)].map((match) =>
      fieldOf(match[1] ?? "", attributesOf(match[2] ?? ""))
    ),
  }));
  const found = forms.filter(({ action }) => action === path);
  if (found.length === 1 && found[0] !== undefined) return found[0];
  throw new Error(`The page has ${found.length} forms for ${path}: ${html}`);
}

/** The body that is sent once the person has filled the form. */
export function fillForm(form: HtmlForm, changes: FormChanges): FormData {
  const body = new FormData();
  const unused = new Set(Object.keys(changes));
  for (const { name, type, value, checked } of form.fields) {
    const change = changes[name];
    if (change !== undefined) unused.delete(name);
    if (type === "checkbox") {
      const ticked = Array.isArray(change) ? change.includes(value) : checked;
      if (ticked) body.append(name, value);
    } else if (type === "submit") {
      if (change === value) body.append(name, value);
    } else {
      body.append(name, typeof change === "string" ? change : value);
    }
  }
  if (unused.size === 0) return body;
  throw new Error(`The form has no ${[...unused].join(", ")}`);
}

/** Where a page leads by itself; null when it stays. */
export function refreshTarget(html: string): string | null {
  const meta = /<meta http-equiv="refresh" content="0; url=([^"]*)"/.exec(html);
  return meta === null ? null : decodeEntities(meta[1] ?? "");
}

function fieldOf(
  element: string,
  attributes: Readonly<Record<string, string>>,
): FormField {
  const { name = "", value = "" } = attributes;
  return {
    name,
    type: attributes.type ?? (element === "button" ? "submit" : "text"),
    value,
    checked: "checked" in attributes,
  };
}

function attributesOf(text: string): Record<string, string> {
  const found = text.matchAll(/([a-z-]+)(?:="([^"]*)")?/g);
  return Object.fromEntries(
    [...found].map((
      [, name = "", value = ""],
    ) => [name, decodeEntities(value)]),
  );
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
  "&amp;": "&",
};

function decodeEntities(text: string): string {
  return text.replaceAll(/&[^;]+;/g, (entity) => ENTITIES[entity] ?? entity);
}
