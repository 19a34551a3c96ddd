import { PRODUCTION } from "./allowed_imports.ts";
import { targetOf } from "./import_graph.ts";
import type { ModuleFacts } from "./module_facts.ts";

/** What modules import of each other, as `path#name`. */
export function importedNames(modules: readonly ModuleFacts[]): Set<string> {
  return new Set(
    modules.flatMap(({ path, names }) =>
      names.map((each) => {
        const at = each.lastIndexOf("#");
        return targetOf(path, each.slice(0, at)) + each.slice(at);
      })
    ),
  );
}

/** Values of production code that are exported, and imported nowhere. */
export function exportedToNobody(modules: readonly ModuleFacts[]): string[] {
  const imported = importedNames(modules);
  return exportsOf(modules).filter(({ id }) => !imported.has(id))
    .map(({ id }) => id);
}

/** Values of production code that tests alone use. */
export function usedByTestsAlone(modules: readonly ModuleFacts[]): string[] {
  const others = modules.filter(({ path }) => !path.startsWith("tests/"));
  const imported = importedNames(others);
  return exportsOf(modules)
    .filter(({ id, uses }) => uses === 0 && !imported.has(id))
    .map(({ id }) => id);
}

function exportsOf(
  modules: readonly ModuleFacts[],
): { id: string; uses: number }[] {
  return modules.filter(({ path }) => PRODUCTION.test(path)).flatMap((
    { path, exports },
  ) => exports.map(({ name, uses }) => ({ id: `${path}#${name}`, uses })));
}
