/**
 * Prints tokens of a demo grant as JSON; in development only. Each call is a
 * client of its own, unless one is named.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { DAY_MS } from "../domain/day.ts";
import { MAX_BID_CENTS, MAX_MANDATE_DAYS } from "../domain/limits.ts";
import { loadToolConfig } from "../config/process_config.ts";
import { printJson, runTool, UsageError, wholeNumber } from "./command.ts";
import { operatorClient } from "./operator_client.ts";

const MINUTE_MS = 60_000;

const USAGE = 'Usage: demo:token --account EMAIL --scope "SCOPE …" ' +
  "[--max-bid-cents N --daily-cap-cents N (--days N | --minutes N)] " +
  "[--client ID]";

if (import.meta.main) await runTool(demoToken);

async function demoToken(args: string[]): Promise<void> {
  const { account, scope, client = null, ...limits } = readFlags(args);
  if (account === undefined || scope === undefined) {
    throw new UsageError(`--account and --scope are needed\n${USAGE}`);
  }
  const wanted = { account, scope, client, mandate: readMandate(limits) };
  const operator = await operatorClient(loadToolConfig());
  await printJson(await operator.post("demo/tokens", wanted));
}

interface Flags {
  account?: string | undefined;
  scope?: string | undefined;
  client?: string | undefined;
  "max-bid-cents"?: string | undefined;
  "daily-cap-cents"?: string | undefined;
  days?: string | undefined;
  minutes?: string | undefined;
}

function readFlags(args: string[]): Flags {
  try {
    const flag = { type: "string" } as const;
    const options = {
      account: flag,
      scope: flag,
      client: flag,
      "max-bid-cents": flag,
      "daily-cap-cents": flag,
      days: flag,
      minutes: flag,
    };
    return parseArgs({ args, options }).values;
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n${USAGE}`);
  }
}

/** A mandate is named whole, its end in days or in minutes, or there is none. */
function readMandate(flags: Omit<Flags, "account" | "scope" | "client">) {
  const {
    "max-bid-cents": maxBid,
    "daily-cap-cents": dailyCap,
    days,
    minutes,
  } = flags;
  const named = [maxBid, dailyCap, days, minutes];
  if (named.every((flag) => flag === undefined)) return null;
  if (
    maxBid === undefined || dailyCap === undefined ||
    (days === undefined) === (minutes === undefined)
  ) {
    throw new UsageError(
      "A mandate needs --max-bid-cents, --daily-cap-cents and --days or " +
        `--minutes\n${USAGE}`,
    );
  }
  return {
    max_bid_cents: wholeNumber("--max-bid-cents", maxBid, 0, MAX_BID_CENTS),
    daily_cap_cents: wholeNumber(
      "--daily-cap-cents",
      dailyCap,
      0,
      MAX_BID_CENTS,
    ),
    ...endOf(days, minutes),
  };
}

function endOf(days: string | undefined, minutes: string | undefined) {
  if (days !== undefined) {
    return { days: wholeNumber("--days", days, 1, MAX_MANDATE_DAYS) };
  }
  const most = MAX_MANDATE_DAYS * DAY_MS / MINUTE_MS;
  return { minutes: wholeNumber("--minutes", minutes ?? "", 1, most) };
}
