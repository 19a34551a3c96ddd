/**
 * A store that was restored: what the processor knows since its backup, and the
 * end of its hold, through the running service. Prints JSON.
 *
 * @module
 */
import { loadToolConfig } from "../config/process_config.ts";
import { printJson, runTool, ToolFailure, UsageError } from "./command.ts";
import { operatorClient } from "./operator_client.ts";

const USAGE = "Usage: release [--confirm [--acknowledge ID]... " +
  "[--erased FILE]...]";

/** Lines that name an erased account: of a backup, of a log, of a list. */
const ERASED = [
  /^\[\["erased_accounts","(acc_\w+)"\]/,
  /"privacy\.erased".*"account":"(acc_\w+)"/,
  /^(acc_\w+)\s*$/,
];

if (import.meta.main) await runTool(release);

async function release(args: string[]): Promise<void> {
  const order = orderIn(args);
  const client = await operatorClient(loadToolConfig());
  if (order === null) {
    return await printJson(await client.get("hold"));
  }
  const { acknowledge, erased: files } = order;
  const erased = await erasedIn(files);
  const report = await client.post("hold/release", { acknowledge, erased }) as {
    left: unknown[];
  };
  await printJson(report);
  const { length } = report.left;
  if (length > 0) {
    throw new ToolFailure(
      `Cannot release the store: ${length} of the items above need a person, ` +
        "do what they say or acknowledge them",
    );
  }
}

/** What is released; null when nothing is to be. */
function orderIn(
  [confirm, ...rest]: readonly string[],
): { acknowledge: string[]; erased: string[] } | null {
  if (confirm === undefined) return null;
  const order = { acknowledge: [] as string[], erased: [] as string[] };
  if (confirm !== "--confirm" || rest.length % 2 !== 0) {
    throw new UsageError(USAGE);
  }
  for (let at = 0; at < rest.length; at += 2) {
    const [flag, value = ""] = rest.slice(at, at + 2);
    if (flag === "--acknowledge") order.acknowledge.push(value);
    else if (flag === "--erased") order.erased.push(value);
    else throw new UsageError(USAGE);
  }
  return order;
}

/**
 * The accounts that were erased, as a later backup, a file of changes, the log
 * or a list with one id a line names them.
 */
async function erasedIn(files: readonly string[]): Promise<string[]> {
  const found = new Set<string>();
  for (const file of files) {
    for (const line of (await Deno.readTextFile(file)).split("\n")) {
      const id = erasedId(line);
      if (id !== null) found.add(id);
    }
  }
  return [...found];
}

/** The account that a line says was erased; null for any other line. */
export function erasedId(line: string): string | null {
  for (const shape of ERASED) {
    const id = shape.exec(line)?.[1];
    if (id !== undefined) return id;
  }
  return null;
}
