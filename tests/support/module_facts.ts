/** What the architecture's rules need to know of a module. */
export interface ModuleFacts {
  path: string;
  lines: number;
  /** Import and export sources as written, dynamic and type imports too. */
  imports: readonly string[];
  /** Those of them that a run never loads: it is all types that they are for. */
  typeImports: readonly string[];
  /** Global names used with a member, such as `Deno.serve` or `Date.now`. */
  members: readonly string[];
  /** Globals called without a member, such as `fetch` or `new Date()`. */
  calls: readonly string[];
  /** Names imported, or handed on, from a source, as `source#name`. */
  names: readonly string[];
  /** Values it exports, and how often it says each name besides. */
  exports: readonly { name: string; uses: number }[];
  functions: readonly { name: string; line: number; lines: number }[];
}

type Ranged = { range: [number, number] };

/** Reads a module with Deno's own parser, which lint plugins are given. */
export function factsOf(path: string, source: string): ModuleFacts {
  const { imports, loaded, visitor } = importReader();
  const members: string[] = [];
  const calls: string[] = [];
  const names: string[] = [];
  const { exported, usesOf, visitor: ofExports } = exportReader();
  const functions: { name: string; line: number; lines: number }[] = [];
  const lineAt = (offset: number) => source.slice(0, offset).split("\n").length;
  const addFunction = (node: Ranged, name: string) => {
    const [start, end] = node.range;
    const line = lineAt(start);
    functions.push({ name, line, lines: lineAt(end) - line + 1 });
  };
  const plugin: Deno.lint.Plugin = {
    name: "facts",
    rules: {
      facts: {
        create: () => ({
          ...visitor,
          ...ofExports,
          ImportDeclaration(node) {
            visitor.ImportDeclaration(node);
            const { source: { value }, specifiers } = node;
            for (const each of specifiers) {
              names.push(`${value}#${nameOf(each)}`);
            }
          },
          ExportNamedDeclaration(node) {
            visitor.ExportNamedDeclaration(node);
            ofExports.ExportNamedDeclaration(node);
            names.push(...handedOn(node));
          },
          MemberExpression(node) {
            const { object, property } = node;
            if (object.type !== "Identifier") return;
            const member = property.type === "Identifier" ? property.name : "?";
            members.push(`${object.name}.${member}`);
          },
          TSQualifiedName(node) {
            const { left } = node;
            if (left.type === "Identifier") members.push(`${left.name}.type`);
          },
          CallExpression({ callee }) {
            if (callee.type === "Identifier") calls.push(callee.name);
          },
          NewExpression({ callee, arguments: given }) {
            if (callee.type !== "Identifier" || given.length > 0) return;
            calls.push(`new ${callee.name}()`);
          },
          FunctionDeclaration: (node) => addFunction(node, node.id?.name ?? ""),
          FunctionExpression: (node) => addFunction(node, node.id?.name ?? ""),
          ArrowFunctionExpression: (node) => addFunction(node, "=>"),
        }),
      },
    },
  };
  Deno.lint.runPlugin(plugin, path, source);
  return {
    path,
    lines: source.split("\n").length - 1,
    imports,
    typeImports: imports.filter((each) => !loaded.has(each)),
    names,
    exports: exported.map((name) => ({ name, uses: usesOf(name) })),
    members,
    calls,
    functions,
  };
}

/** What a module imports, noted as it is walked through. */
function importReader() {
  const imports: string[] = [];
  const loaded = new Set<string>();
  const add = (source: string, isOfTypes: boolean) => {
    imports.push(source);
    if (!isOfTypes) loaded.add(source);
  };
  const visitor = {
    ImportDeclaration(
      { source, specifiers, importKind }: Deno.lint.ImportDeclaration,
    ) {
      add(source.value, importKind === "type" || areTypes(specifiers));
    },
    ExportAllDeclaration(
      { source, exportKind }: Deno.lint.ExportAllDeclaration,
    ) {
      add(source.value, exportKind === "type");
    },
    ExportNamedDeclaration(
      { source, exportKind }: Deno.lint.ExportNamedDeclaration,
    ) {
      if (source) add(source.value, exportKind === "type");
    },
    ImportExpression({ source }: Deno.lint.ImportExpression) {
      const isPlain = source.type === "Literal";
      add(isPlain ? String(source.value) : "?", false);
    },
    TSImportType({ argument }: Deno.lint.TSImportType) {
      const literal = argument.type === "TSLiteralType"
        ? argument.literal
        : null;
      const isPlain = literal?.type === "Literal";
      add(isPlain ? String(literal.value) : "?", true);
    },
  };
  return { imports, loaded, visitor };
}

/** What a module exports, and how often it says each name, as it is walked. */
function exportReader() {
  const exported: string[] = [];
  const said = new Map<string, number>();
  const say = ({ name }: { name: string }) => {
    said.set(name, (said.get(name) ?? 0) + 1);
  };
  return {
    exported,
    /** Its declaration apart. */
    usesOf: (name: string) => (said.get(name) ?? 0) - 1,
    visitor: {
      ExportNamedDeclaration(node: Deno.lint.ExportNamedDeclaration) {
        exported.push(...valuesOf(node));
      },
      Identifier: say,
      JSXIdentifier: say,
    },
  };
}

/** The names of another module that an export hands on. */
function handedOn(
  { source, specifiers }: Deno.lint.ExportNamedDeclaration,
): string[] {
  if (source === null) return [];
  return specifiers.map(({ local }) => `${source.value}#${textOf(local)}`);
}

/** Whether only types are named: `import { type Day } from …`. */
function areTypes(
  specifiers: Deno.lint.ImportDeclaration["specifiers"],
): boolean {
  return specifiers.length > 0 &&
    specifiers.every((each) =>
      each.type === "ImportSpecifier" && each.importKind === "type"
    );
}

/** The exported name; `*` for a namespace. */
function nameOf(
  specifier: Deno.lint.ImportDeclaration["specifiers"][number],
): string {
  if (specifier.type === "ImportNamespaceSpecifier") return "*";
  if (specifier.type === "ImportDefaultSpecifier") return "default";
  return textOf(specifier.imported);
}

function textOf(name: Deno.lint.Identifier | Deno.lint.StringLiteral): string {
  return name.type === "Identifier" ? name.name : name.value;
}

/** The functions, classes and constants that are declared to be exported. */
function valuesOf(
  { declaration }: Deno.lint.ExportNamedDeclaration,
): string[] {
  switch (declaration?.type) {
    case "FunctionDeclaration":
    case "ClassDeclaration":
      return declaration.id === null ? [] : [declaration.id.name];
    case "VariableDeclaration":
      return declaration.declarations.flatMap(({ id }) =>
        id.type === "Identifier" ? [id.name] : []
      );
    default:
      return [];
  }
}
