import type { Services } from "../ports.ts";

/** Tasks read in one round trip. */
const TASKS_A_READ = 10;

/** Those of the documents that can be read from the archive. */
export async function archivedNumbers(
  { store }: Pick<Services, "store">,
  numbers: readonly string[],
): Promise<ReadonlySet<string>> {
  const archived = new Set<string>();
  for (let at = 0; at < numbers.length; at += TASKS_A_READ) {
    const some = numbers.slice(at, at + TASKS_A_READ);
    const tasks = await store.getMany(
      some.map((number) => store.archiveTasks.ref(number)),
    );
    for (const task of tasks) {
      if (task?.state === "stored") archived.add(task.number);
    }
  }
  return archived;
}
