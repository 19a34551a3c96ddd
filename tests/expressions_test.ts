/**
 * No regular expression of the service takes more than linear time, whatever
 * the text: one that does lets a single request stop the whole process.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { ownModules, ROOT } from "../tools/own_modules.ts";
import { expressionsOf, type Pump, pumpsOf } from "./support/expressions.ts";
import { stopwatch } from "./support/stopwatch.ts";

/** Twice what linear growth would take, of a text eight times as long. */
const GROWTH = 8;
const RATIO_MAX = 2 * GROWTH;
/** Lengths at which exponential ones show before they never end. */
const WARM_UP = [16, 20, 24, 32, 64, 256];
const SHORT = 1_000;
const LONG = GROWTH * SHORT;
/** What takes no longer than this at its longest needs no second look. */
const FAST_MS = 0.3;
/** Beyond this at a length of {@linkcode WARM_UP} it is exponential. */
const WARM_UP_MAX_MS = 30;

/** Which modules put expressions together of their own constants, on import. */
const PUT_TOGETHER: readonly string[] = [
  "domain/clicks/request_outcome.ts",
  "adapters/search/days.ts",
  "adapters/search/fold.ts",
  "adapters/search/words.ts",
];
/** Made of what a test wrote: the simulator is for development only. */
const OF_TESTS = "simulators/stripe/faults.ts";

const FOUND = (await Promise.all(
  (await ownModules()).filter((path) => !path.startsWith("tests/")).map(
    async (path) => expressionsOf(path, await Deno.readTextFile(ROOT + path)),
  ),
)).flat();

function timed(expression: RegExp, { prefix, pump, suffix }: Pump, n: number) {
  const times = Math.ceil(n / pump.length);
  const text = prefix + pump.repeat(times) + suffix;
  expression.lastIndex = 0;
  const tookMs = stopwatch();
  if (expression.global) text.replace(expression, "");
  else expression.test(text);
  return tookMs();
}

function fastest(expression: RegExp, pump: Pump, n: number): number {
  let ms = Infinity;
  for (let i = 0; i < 3; i++) ms = Math.min(ms, timed(expression, pump, n));
  return ms;
}

/** Whether a text of this kind takes longer than its length explains. */
function isSlowOn(expression: RegExp, pump: Pump): boolean {
  for (const n of WARM_UP) {
    if (
      timed(expression, pump, n) > WARM_UP_MAX_MS &&
      fastest(expression, pump, n) > WARM_UP_MAX_MS
    ) return true;
  }
  if (timed(expression, pump, LONG) < FAST_MS) return false;
  // Another process may have had the processor: only what stays slow is.
  for (let round = 0; round < 3; round++) {
    const long = fastest(expression, pump, LONG);
    const short = fastest(expression, pump, SHORT);
    if (long < FAST_MS || long < RATIO_MAX * short) return false;
  }
  return true;
}

function slowPump(expression: RegExp): string | null {
  const slow = pumpsOf(expression).find((pump) => isSlowOn(expression, pump));
  return slow === undefined
    ? null
    : `${expression} is slow on ${JSON.stringify(slow)}`;
}

Deno.test("every expression of the service is found", () => {
  const count = FOUND.filter(({ expression }) => expression !== null).length;
  assertEquals(count > 200, true, `${count} expressions`);
  const dynamic = FOUND.filter(({ expression }) => expression === null)
    .map(({ where }) => where.replace(/:\d+$/, ""));
  assertEquals(
    [...new Set(dynamic)],
    [...PUT_TOGETHER, OF_TESTS].toSorted(),
  );
});

for (const path of PUT_TOGETHER) {
  Deno.test(`no expression that ${path} puts together takes more than linear time`, async () => {
    const made = await madeOnImport(path);
    assertEquals(made.length > 0, true);
    assertEquals(made.map(slowPump).filter((slow) => slow !== null), []);
  });
}

/** The expressions that a module makes when it is run afresh. */
async function madeOnImport(path: string): Promise<RegExp[]> {
  const made: RegExp[] = [];
  const original = globalThis.RegExp;
  globalThis.RegExp = new Proxy(original, {
    construct(target, given) {
      const expression = Reflect.construct(target, given);
      made.push(expression);
      return expression;
    },
  });
  try {
    await import(`file://${ROOT}${path}?afresh`);
  } finally {
    globalThis.RegExp = original;
  }
  return made;
}

Deno.test("no expression takes more than linear time", () => {
  const slow = FOUND.flatMap(({ where, expression }) => {
    const found = expression === null ? null : slowPump(expression);
    return found === null ? [] : [`${where} ${found}`];
  });
  assertEquals(slow, []);
});

for (
  const expression of [
    /^\p{Zs}+|\p{Zs}+$/gu,
    /\s*[\r\n]+\s*/g,
    /[^\s@"'<>]+(?:@|%40)[^\s@"'<>]+/gi,
    /^(?:a+)+$/,
  ]
) {
  Deno.test(`${expression} would be found to be slow`, () => {
    assertEquals(slowPump(expression) !== null, true);
  });
}

Deno.test("expressions are found wherever a module makes them", () => {
  const found = expressionsOf(
    "bad.ts",
    'f(/a+$/g);\nRegExp("b", "i");\nnew RegExp("c");\nnew RegExp(`${d}`);\n',
  );
  assertEquals(found.map(({ expression }) => String(expression)), [
    "/a+$/g",
    "/b/i",
    "/c/",
    "null",
  ]);
  assertEquals(found.map(({ where }) => where).at(-1), "bad.ts:4");
});
