/**
 * Finds the regular expressions of a module, and texts that make those slow
 * which try the same characters from every place again.
 *
 * @module
 */

/** An expression as it stands in a module. */
export interface FoundExpression {
  /** Path and line. */
  where: string;
  /** Null for one that is put together while the module runs. */
  expression: RegExp | null;
}

const LITERAL = /^\/(.+)\/([a-z]*)$/s;

/** The expressions of a module, in the order they are written. */
export function expressionsOf(path: string, source: string): FoundExpression[] {
  const found: FoundExpression[] = [];
  const add = (at: number, expression: RegExp | null) => {
    const line = source.slice(0, at).split("\n").length;
    found.push({ where: `${path}:${line}`, expression });
  };
  const called = ({ callee, arguments: given, range }: CallLike) => {
    if (callee.type !== "Identifier" || callee.name !== "RegExp") return;
    const [shape, flags] = given.map(textOf);
    const isStatic = given.length > 0 && typeof shape === "string" &&
      (given.length === 1 || typeof flags === "string");
    add(range[0], isStatic ? new RegExp(shape, flags ?? "") : null);
  };
  const plugin: Deno.lint.Plugin = {
    name: "expressions",
    rules: {
      expressions: {
        create: () => ({
          Literal(node) {
            const [, pattern, flags] = LITERAL.exec(node.raw) ?? [];
            if (pattern !== undefined) {
              add(node.range[0], new RegExp(pattern, flags));
            }
          },
          NewExpression: called,
          CallExpression: called,
        }),
      },
    },
  };
  Deno.lint.runPlugin(plugin, path, source);
  return found;
}

interface CallLike {
  callee: Deno.lint.Expression | { type: "Super" };
  arguments: readonly unknown[];
  range: [number, number];
}

/** A literal's text; null for anything else. */
function textOf(node: unknown): string | null {
  const { type, value } = node as { type: string; value?: unknown };
  return type === "Literal" && typeof value === "string" ? value : null;
}

/** Repeats of `pump` between a beginning and an end that is no match. */
export interface Pump {
  prefix: string;
  pump: string;
  suffix: string;
}

/** One of each kind of character that expressions tell apart. */
const PROBES: readonly string[] = [
  ..." \t\n\r\"'#%&()*+,-./:;<=>?@[\\]^_`{|}~!$0aAbeZ",
  "\u00a0",
  "\u200b",
  "\u0301",
  "é",
  "ß",
  "ж",
  "中",
  "😀",
  "\ufe0f",
  "\u0001",
];

/** What the parts of an expression take: classes, escapes and characters. */
const ATOM = /\[(?:\\.|[^\]\\])*\]|\\[pPkux]\{[^}]*\}|\\u....|\\x..|\\.|./gsu;
const IS_SYNTAX = /^(?:[()|?*+{}^$,:!=<>]|\\[bBk1-9].*)$/u;
const LITERAL_RUN = /(?:[A-Za-z0-9_%&=;@/-]|\\[./-])+/g;

/** Most pumps that are made of an expression. */
const PUMPS_MAX = 90;

/**
 * Texts that come near to matching for long: each kind of character that a part
 * of the expression takes, two kinds in turn, and its own words, after each of
 * its beginnings.
 */
export function pumpsOf(expression: RegExp): Pump[] {
  const { source, flags } = expression;
  const characters = charactersOf(source, flags);
  const words =
    source.match(LITERAL_RUN)?.map((word) => word.replaceAll("\\", "")).slice(
      0,
      6,
    ) ?? [];
  const runs = [
    ...characters,
    ...words.filter((word) => word.length > 1),
    ...pairs(characters),
    ...words.flatMap((word) => characters.slice(0, 3).map((c) => word + c)),
  ];
  const prefixes = ["", ...words.slice(0, 3), "a"];
  const pumps = [...new Set(runs)].flatMap((pump, at) =>
    prefixes.slice(0, at < characters.length ? prefixes.length : 2).map(
      (prefix) => ({
        prefix,
        pump,
        suffix: at % 2 === 0 ? "\u0001" : "a\u0001",
      }),
    )
  );
  return pumps.slice(0, PUMPS_MAX);
}

function pairs(characters: readonly string[]): string[] {
  const few = characters.slice(0, 6);
  return few.flatMap((a) => few.filter((b) => b !== a).map((b) => a + b));
}

/** What most parts of the expression take comes first. */
function charactersOf(source: string, flags: string): string[] {
  const atoms = (source.match(ATOM) ?? []).filter((a) => !IS_SYNTAX.test(a));
  const shapes = [...new Set(atoms)].flatMap((atom) => {
    try {
      return [new RegExp(`^${atom}$`, flags.replace(/[gy]/g, ""))];
    } catch {
      return [];
    }
  });
  const taken = PROBES.map((probe) => ({
    probe,
    by: shapes.map((shape) => shape.test(probe)),
  })).filter(({ by }) => by.includes(true));
  const kinds = new Map(taken.map((each) => [each.by.join(), each]));
  const count = ({ by }: { by: boolean[] }) => by.filter(Boolean).length;
  return [...kinds.values()].toSorted((a, b) => count(b) - count(a))
    .slice(0, 12).map(({ probe }) => probe);
}
