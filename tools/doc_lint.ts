/**
 * `deno task doc:lint`: every export of the project's own modules has JSDoc,
 * every exported function an explicit return type.
 *
 * `deno doc --lint` itself also wants JSDoc on each member of each interface
 * and refuses zod's and Stripe's types in signatures; the names of members and
 * those types say what they are, so only the rules that pay are kept.
 *
 * @module
 */
import { ownModules, ROOT } from "./own_modules.ts";

const OUTPUT_VERSION = 2;

interface Declaration {
  location: { filename: string; line: number };
  declarationKind: string;
  kind: string;
  jsDoc?: { doc?: string; tags?: readonly unknown[] };
  def?: { returnType?: unknown };
}

/** The output of `deno doc --json`, as far as it is read. */
export interface DocOutput {
  version: number;
  nodes: Record<
    string,
    { symbols: { name: string; declarations: Declaration[] }[] }
  >;
}

if (import.meta.main) {
  const modules = (await ownModules()).filter((path) =>
    !path.startsWith("tests/") && !path.startsWith("tools/") &&
    // Types of JavaScript are beside it, or in its JSDoc.
    !path.endsWith(".js")
  );
  const complaints = complaintsOf(await documentation(modules));
  for (const complaint of complaints) report(complaint);
  report(`${modules.length} modules, ${complaints.length} complaints`);
  if (complaints.length > 0) Deno.exit(1);
}

/** What the rules say of the exports in the output of `deno doc --json`. */
export function complaintsOf(output: DocOutput): string[] {
  const symbols = Object.values(output.nodes).flatMap((node) => node.symbols);
  return symbols.flatMap(({ name, declarations }) =>
    declarations.filter((one) => one.declarationKind === "export")
      .flatMap((declaration) =>
        complaintsAbout(declaration).map((complaint) => {
          const { filename, line } = declaration.location;
          const path = filename.replace(`file://${ROOT}`, "");
          return `${path}:${line} ${name} ${complaint}`;
        })
      )
  );
}

function complaintsAbout(declaration: Declaration): string[] {
  const complaints: string[] = [];
  const { kind, def, jsDoc, location } = declaration;
  // Re-exports are documented where they are written.
  if (kind === "reference") return [];
  if (!jsDoc?.doc && !jsDoc?.tags) complaints.push("has no JSDoc");
  // What a component returns is an element, always.
  const component = location.filename.endsWith(".tsx");
  if (kind === "function" && !component && !def?.returnType) {
    complaints.push("has no explicit return type");
  }
  return complaints;
}

async function documentation(modules: readonly string[]): Promise<DocOutput> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["doc", "--json", ...modules],
    cwd: ROOT,
  }).output();
  if (code !== 0) throw new Error(new TextDecoder().decode(stderr));
  const output: DocOutput = JSON.parse(new TextDecoder().decode(stdout));
  if (output.version === OUTPUT_VERSION) return output;
  throw new Error(
    `Cannot read the output of deno doc: its version is ${output.version}, ` +
      `${OUTPUT_VERSION} is wanted`,
  );
}

function report(line: string): void {
  // deno-lint-ignore no-console -- a command's output
  console.log(line);
}
