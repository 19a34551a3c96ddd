/** The shapes of what takes a log, by the names of their members. */
const LOG_SHAPES: readonly (readonly string[])[] = [
  // `Log`
  ["info", "error"],
  // `LineWriter`
  ["write", "flush"],
  // The sink of a service of one's own
  ["sink"],
];

/** What starts a log, or a process that writes one. */
const LOG_CALLS: ReadonlySet<string> = new Set(["lineWriter", "startService"]);

/** What in a module makes a log or starts what writes one, as it is named. */
export function logMakersIn(path: string, source: string): string[] {
  const found = new Set<string>();
  const addShape = (members: readonly (string | null)[]) => {
    for (const shape of LOG_SHAPES) {
      if (shape.every((name) => members.includes(name))) {
        found.add(`{ ${shape.join(", ")} }`);
      }
    }
  };
  const plugin: Deno.lint.Plugin = {
    name: "logs",
    rules: {
      makers: {
        create: () => ({
          ObjectExpression: ({ properties }) =>
            addShape(properties.map(nameOfMember)),
          ClassBody: ({ body }) => addShape(body.map(nameOfMember)),
          CallExpression({ callee }) {
            if (callee.type !== "Identifier") return;
            if (LOG_CALLS.has(callee.name)) found.add(`${callee.name}()`);
          },
          MemberExpression({ object, property }) {
            if (object.type !== "Identifier" || object.name !== "Deno") return;
            if (property.type !== "Identifier") return;
            if (property.name === "Command") found.add("Deno.Command");
          },
        }),
      },
    },
  };
  Deno.lint.runPlugin(plugin, path, source);
  return [...found].toSorted();
}

type Member =
  | Deno.lint.ObjectExpression["properties"][number]
  | Deno.lint.ClassBody["body"][number];

function nameOfMember(member: Member): string | null {
  if (
    member.type !== "Property" && member.type !== "MethodDefinition" &&
    member.type !== "PropertyDefinition"
  ) return null;
  const { key } = member;
  if (key.type === "Identifier") return key.name;
  return key.type === "Literal" ? String(key.value) : null;
}
