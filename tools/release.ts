/**
 * A store that was restored: what the processor knows since its backup, and the
 * end of its hold, through the running service. Prints JSON.
 *
 * @module
 */
import { loadToolConfig } from "../config/process_config.ts";
import { printJson, runTool, ToolFailure, UsageError } from "./command.ts";
import { operatorClient } from "./operator_client.ts";

const USAGE = "Usage: release [--confirm [--acknowledge ID]...]";

if (import.meta.main) await runTool(release);

async function release(args: string[]): Promise<void> {
  const acknowledge = acknowledged(args);
  const client = await operatorClient(loadToolConfig());
  if (acknowledge === null) {
    return await printJson(await client.get("hold"));
  }
  const report = await client.post("hold/release", { acknowledge }) as {
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

/** The names that are acknowledged; null when nothing is to be released. */
function acknowledged(args: readonly string[]): string[] | null {
  const [confirm, ...rest] = args;
  if (confirm === undefined) return null;
  if (confirm !== "--confirm" || rest.length % 2 !== 0) {
    throw new UsageError(USAGE);
  }
  return rest.flatMap((each, at) => {
    if (at % 2 === 1) return each;
    if (each !== "--acknowledge") throw new UsageError(USAGE);
    return [];
  });
}
