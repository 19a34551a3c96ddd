import { ROOT } from "../own_modules.ts";

/** One change of a module. */
export interface Mutation {
  /** The module, relative to the project's folder. */
  file: string;
  line: number;
  /** The first line that changes, as it is and as it would be. */
  before: string;
  after: string;
  /** The whole module with the change. */
  source: string;
}

/** What `deno lint --json` says, as far as it is read. */
interface LintOutput {
  diagnostics: readonly {
    range: Record<"start" | "end", { bytePos: number }>;
    /** What would stand there instead. */
    message: string;
  }[];
  errors: readonly { message: string }[];
}

/** Every change that is tried of a module, in the order of its text. */
export async function mutationsOf(file: string): Promise<Mutation[]> {
  const bytes = await Deno.readFile(ROOT + file);
  const text = (from: number, to?: number) =>
    new TextDecoder().decode(bytes.subarray(from, to));
  const now = text(0).split("\n");
  const mutations = (await lint(file)).map(({ range, message }) => {
    const { start, end } = range;
    const source = text(0, start.bytePos) + message + text(end.bytePos);
    const then = source.split("\n");
    const at = now.findIndex((line, nth) => line !== then[nth]);
    const [before = "", after = ""] = [now[at]?.trim(), then[at]?.trim()];
    return { file, line: at + 1, before, after, source };
  });
  const once = new Map(mutations.map((each) => [each.source, each]));
  return [...once.values()].toSorted((a, b) => a.line - b.line);
}

async function lint(file: string): Promise<LintOutput["diagnostics"]> {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["lint", "--json", "--config=tools/mutate/lint.json", file],
    cwd: ROOT,
    stderr: "null",
  }).output();
  const output: LintOutput = JSON.parse(new TextDecoder().decode(stdout));
  const [error] = output.errors;
  if (error !== undefined) throw new Error(`${file}: ${error.message}`);
  return output.diagnostics;
}
