import { ROOT } from "../../tools/own_modules.ts";

/** What makes a file of tests, browser and interop suites included. */
const TEST_FILE = /(_test|\.browser|\.interop)\.tsx?$/;

/** Tests by name, as they are written; `${…}` stands in those of many cases. */
export interface TestNames {
  /** Names as they stand in the source. */
  written: ReadonlySet<string>;
  /** Names of many cases, each as what matches all of them. */
  patterns: readonly RegExp[];
}

/** Reads the names of all tests with Deno's own parser; ignored ones are none. */
export async function readTestNames(): Promise<TestNames> {
  const written = new Set<string>();
  const patterns: RegExp[] = [];
  for await (const path of testFiles("tests")) {
    const source = await Deno.readTextFile(`${ROOT}${path}`);
    for (const name of namesIn(path, source)) {
      written.add(name.text);
      if (name.pattern !== null) patterns.push(name.pattern);
    }
  }
  return { written, patterns };
}

/** Whether a test of that name is run. */
export function isTest({ written, patterns }: TestNames, name: string) {
  return written.has(name) || patterns.some((pattern) => pattern.test(name));
}

/** One test's name; a template's text is as in the source, without backticks. */
export interface TestName {
  text: string;
  pattern: RegExp | null;
}

/** The names of the tests in a source. */
export function namesIn(path: string, source: string): TestName[] {
  const names: TestName[] = [];
  const plugin: Deno.lint.Plugin = {
    name: "tests",
    rules: {
      names: {
        create: () => ({
          CallExpression({ callee, arguments: [first] }) {
            if (!isDenoTest(callee)) return;
            const name = first === undefined ? null : nameOf(first, source);
            if (name !== null) names.push(name);
          },
        }),
      },
    },
  };
  Deno.lint.runPlugin(plugin, path, source);
  return names;
}

/** `Deno.test` itself: `Deno.test.ignore` runs nothing. */
function isDenoTest(callee: Deno.lint.Expression): boolean {
  return callee.type === "MemberExpression" &&
    callee.object.type === "Identifier" && callee.object.name === "Deno" &&
    callee.property.type === "Identifier" && callee.property.name === "test";
}

function nameOf(node: Deno.lint.Node, source: string): TestName | null {
  if (node.type === "Literal" && typeof node.value === "string") {
    return { text: node.value, pattern: null };
  }
  if (node.type !== "TemplateLiteral") return null;
  const [start, end] = node.range;
  const parts = node.quasis.map(({ cooked }) => escaped(cooked));
  return {
    text: source.slice(start + 1, end - 1),
    pattern: new RegExp(`^${parts.join(".+")}$`),
  };
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

async function* testFiles(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(`${ROOT}${folder}`)) {
    const path = `${folder}/${name}`;
    if (isDirectory) yield* testFiles(path);
    else if (TEST_FILE.test(name)) yield path;
  }
}
