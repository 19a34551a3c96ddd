/** A text, list or map of a schema that says no largest size. */
export interface Unbounded {
  /** The name of the constant or property that it stands in, if any. */
  within: string;
  /** As it is written. */
  written: string;
}

const SIZED: ReadonlySet<string> = new Set([
  "string",
  "url",
  "email",
  "array",
]);
const SIZES: ReadonlySet<string> = new Set(["max", "length"]);
/** What schemas of answers are made with, or called. */
const ANSWER = /^(?:output|orProblem|listOf)$/;

// deno-lint-ignore no-explicit-any -- any node of the tree, on the way up
type Node = any;

/** What a module's schemas take without a bound; those of answers left out. */
export function unboundedIn(path: string, source: string): Unbounded[] {
  const found: Unbounded[] = [];
  const plugin: Deno.lint.Plugin = {
    name: "schema-bounds",
    rules: {
      bounds: {
        create: () => ({
          CallExpression(node) {
            const { callee } = node;
            if (callee.type !== "MemberExpression") return;
            const { object, property } = callee;
            if (object.type !== "Identifier" || object.name !== "z") return;
            if (property.type !== "Identifier") return;
            if (!SIZED.has(property.name)) return;
            const chain = chainOf(node);
            if (chain.some((name) => SIZES.has(name))) return;
            if (isNameOfRecord(node)) return;
            const within = placesOf(node);
            if (within.some((place) => ANSWER.test(place))) return;
            found.push({
              within: within.at(-1) ?? "",
              written: source.slice(...node.range),
            });
          },
        }),
      },
    },
  };
  Deno.lint.runPlugin(plugin, path, source);
  return found;
}

/** The methods called on a schema, such as `min` and `max`. */
function chainOf(node: Node): string[] {
  const names: string[] = [];
  let at = node;
  while (
    at.parent?.type === "MemberExpression" && at.parent.object === at &&
    at.parent.parent?.type === "CallExpression"
  ) {
    names.push(at.parent.property.name);
    at = at.parent.parent;
  }
  return names;
}

/** The key schema of `z.record(z.string(), …)`. */
function isNameOfRecord({ parent, range }: Node): boolean {
  return parent?.type === "CallExpression" &&
    parent.callee.property?.name === "record" &&
    parent.arguments[0]?.range[0] === range[0];
}

/** Properties, functions and constants around a node, from the inside. */
function placesOf(node: Node): string[] {
  const places: string[] = [];
  for (let at = node.parent; at; at = at.parent) {
    if (at.type === "Property") places.push(at.key.name ?? "");
    if (at.type === "CallExpression") places.push(at.callee.name ?? "");
    if (at.type === "VariableDeclarator") places.push(at.id.name ?? "");
    if (at.type === "FunctionDeclaration") places.push(at.id?.name ?? "");
  }
  return places.filter((name) => name !== "");
}
