/**
 * The operator's hand on a day: `open`, `close`, `settle` or `status`, through
 * the running service. Prints the day as JSON.
 *
 * @module
 */
import { loadToolConfig } from "../config/process_config.ts";
import { parseDay } from "../domain/day.ts";
import { printJson, runTool, UsageError } from "./command.ts";
import { type OperatorClient, operatorClient } from "./operator_client.ts";

const ACTIONS = ["open", "close", "settle", "status"] as const;
const USAGE = `Usage: auction ${ACTIONS.join("|")} YYYY-MM-DD`;

/** Another worker may hold the settlement; it is asked again for so long. */
const SETTLE_WITHIN_MS = 5_000;
const SETTLE_PAUSE_MS = 250;

if (import.meta.main) await runTool(auction);

async function auction(args: string[]): Promise<void> {
  const [named, dayText, ...rest] = args;
  const action = ACTIONS.find((each) => each === named);
  if (action === undefined || dayText === undefined || rest.length > 0) {
    throw new UsageError(USAGE);
  }
  const day = parseDay(dayText);
  if (day === null) {
    throw new UsageError(
      `Cannot read day ${JSON.stringify(dayText)}: a day is a calendar date ` +
        `written YYYY-MM-DD\n${USAGE}`,
    );
  }
  const client = await operatorClient(loadToolConfig());
  await printJson(
    action === "status"
      ? await client.get(`auctions/${day}`)
      : action === "settle"
      ? await settle(client, day)
      : await client.post(`auctions/${day}/${action}`),
  );
}

/** Settles, waiting a little for whoever works on it already. */
async function settle(client: OperatorClient, day: string): Promise<unknown> {
  const untilMs = Date.now() + SETTLE_WITHIN_MS;
  for (;;) {
    const report = await client.post(`auctions/${day}/settle`) as {
      settlement: { state: string } | null;
    };
    const isDone = report.settlement?.state !== "running";
    if (isDone || Date.now() >= untilMs) return report;
    await new Promise((resolve) => setTimeout(resolve, SETTLE_PAUSE_MS));
  }
}
