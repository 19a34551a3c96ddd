import type { ModuleFacts } from "./module_facts.ts";

/** That one module imports another of ours; paths from the project's folder. */
export interface Import {
  from: string;
  to: string;
  /** Whether it is all types that it is for: a run never loads it. */
  isOfTypes: boolean;
}

/** What a circle is looked for among. */
interface CircleOptions {
  /** Whether imports of types count as well. */
  types: boolean;
  /** The folder, or other part, that a path belongs to; null leaves it out. */
  partOf?: (path: string) => string | null;
}

/** All imports among modules of ours, `import()` too. */
export function importsOf(modules: readonly ModuleFacts[]): Import[] {
  return modules.flatMap(({ path, imports, typeImports }) =>
    [...new Set(imports)].flatMap((source) => {
      const to = targetOf(path, source);
      const isOfTypes = typeImports.includes(source);
      return to === null ? [] : [{ from: path, to, isOfTypes }];
    })
  );
}

/** The path an import of our own leads to; null for a package. */
export function targetOf(from: string, source: string): string | null {
  if (!source.startsWith(".")) return null;
  return new URL(source, `file:///${from}`).pathname.slice(1);
}

/** An import as it is written down: `a.ts → b.ts`. */
export function arrowOf({ from, to }: Import): string {
  return `${from} → ${to}`;
}

/**
 * Circles, each as its arrows: a shortest one through each part that lies on
 * any, until every such part has been named. Between folders each arrow is
 * written with one import that makes it.
 */
export function circlesOf(
  imports: readonly Import[],
  { types, partOf = (path) => path }: CircleOptions,
): string[] {
  const because = new Map<string, Map<string, Import>>();
  for (const each of imports) {
    if (each.isOfTypes && !types) continue;
    const [from, to] = [partOf(each.from), partOf(each.to)];
    if (from === null || to === null || from === to) continue;
    const arrows = because.get(from) ?? new Map<string, Import>();
    because.set(from, arrows.set(to, arrows.get(to) ?? each));
  }
  const named = new Set<string>();
  const circles: string[] = [];
  for (const part of [...because.keys()].toSorted()) {
    if (named.has(part)) continue;
    const circle = shortestCircle(part, because);
    if (circle === null) continue;
    for (const each of circle) named.add(each);
    circles.push(written(circle, because));
  }
  return circles;
}

/** The parts of a shortest way from a part back to itself; null: there is none. */
function shortestCircle(
  start: string,
  arrows: ReadonlyMap<string, ReadonlyMap<string, Import>>,
): string[] | null {
  const before = new Map<string, string>();
  const waiting = [start];
  for (const part of waiting) {
    for (const next of [...arrows.get(part)?.keys() ?? []].toSorted()) {
      if (next === start) {
        const circle = [start];
        let at = part;
        for (; at !== start; at = before.get(at) ?? start) circle.push(at);
        return [start, ...circle.slice(1).toReversed()];
      }
      if (before.has(next)) continue;
      before.set(next, part);
      waiting.push(next);
    }
  }
  return null;
}

function written(
  circle: readonly string[],
  arrows: ReadonlyMap<string, ReadonlyMap<string, Import>>,
): string {
  const lines = circle.map((from, at) => {
    const to = circle[(at + 1) % circle.length] ?? from;
    const made = arrows.get(from)?.get(to);
    const isPlain = made === undefined || made.from === from;
    return `${from} → ${to}${isPlain ? "" : ` (${arrowOf(made)})`}`;
  });
  return lines.join(", ");
}
