import type { Services } from "../ports.ts";
import type { ArchiveState } from "./archive_task.ts";

/** Tasks read in one round trip. */
const TASKS_A_READ = 10;

/** How far each of the documents is on its way into the archive, by number. */
export async function archiveStates(
  { store }: Pick<Services, "store">,
  numbers: readonly string[],
): Promise<ReadonlyMap<string, ArchiveState>> {
  const states = new Map<string, ArchiveState>();
  for (let at = 0; at < numbers.length; at += TASKS_A_READ) {
    const some = numbers.slice(at, at + TASKS_A_READ);
    const tasks = await store.getMany(
      some.map((number) => store.archiveTasks.ref(number)),
    );
    for (const task of tasks) {
      if (task !== null) states.set(task.number, task.state);
    }
  }
  return states;
}
