/**
 * Processes that are ended together with everything they have started: a service
 * that a test left behind would ask its store for ever.
 *
 * @module
 */

/** Those that run, by the id of their first process. */
const running = new Set<number>();

/** Starts a command in a process group of its own. */
export function startGroup(
  command: string,
  options: Deno.CommandOptions,
): Deno.ChildProcess {
  const child = new Deno.Command(command, { ...options, detached: true })
    .spawn();
  running.add(child.pid);
  child.status.then(() => running.delete(child.pid));
  return child;
}

/** Ends a group's processes at once. */
export function endGroup({ pid }: Pick<Deno.ChildProcess, "pid">): void {
  // Less than zero names a group.
  if (running.has(pid)) Deno.kill(-pid, "SIGKILL");
}

/** Ends every group with this process: a terminal's Ctrl-C reaches it alone. */
export function endGroupsWithMe(): void {
  for (const [signal, code] of [["SIGINT", 130], ["SIGTERM", 143]] as const) {
    Deno.addSignalListener(signal, () => {
      for (const pid of running) endGroup({ pid });
      Deno.exit(code);
    });
  }
}
