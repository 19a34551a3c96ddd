import type { Services } from "../ports.ts";
import { readAll } from "../read_all.ts";
import type { ArchiveState } from "./archive_task.ts";

/** How far each of the documents is on its way into the archive, by number. */
export async function archiveStates(
  { store }: Pick<Services, "store">,
  numbers: readonly string[],
): Promise<ReadonlyMap<string, ArchiveState>> {
  const refs = numbers.map((number) => store.archiveTasks.ref(number));
  const tasks = (await readAll(store, refs)).filter((task) => task !== null);
  return new Map(tasks.map(({ number, state }) => [number, state]));
}
