import { assertEquals } from "@std/assert";
import type { Day } from "../../domain/day.ts";
import { BIDDERS_MANDATE, readyToBid } from "../interop/support/bidder.ts";
import type { ConsentAnswer, User } from "../interop/support/user.ts";
import { type InteropWorld, inWorld } from "../interop/support/world.ts";
import type { ProcessEnd } from "../support/captured_process.ts";
import { Cli, type Runtime } from "../support/cli.ts";

const RUNTIMES: readonly Runtime[] = ["node", "deno"];

/** What a test of the command line is given. */
export interface CliWorld {
  world: InteropWorld;
  cli: Cli;
  /** The person at the machine, with a browser. */
  ada: User;
}

/** Runs a test against a service, with the command line under each runtime. */
export function withCli(
  what: string,
  run: (given: CliWorld) => Promise<void>,
): void {
  for (const runtime of RUNTIMES) {
    Deno.test(`the command line under ${runtime} ${what}`, async () => {
      await inWorld(async (world) => {
        await using cli = await Cli.make(runtime, world.baseUrl);
        await run({ world, cli, ada: world.user("ada") });
      });
    });
  }
}

/** Logs in: the person opens the address that is printed, and answers. */
export async function logIn(
  { cli, ada }: CliWorld,
  answer: ConsentAnswer = { mandate: BIDDERS_MANDATE },
): Promise<ProcessEnd> {
  await using process = cli.start(["login", "--no-browser"]);
  const url = await process.line((line) => line.startsWith("http"));
  await ada.authorize(url, answer);
  return await process.ended;
}

/** Logs in to an account that may bid at once. */
export async function logInToBid(
  given: CliWorld,
): Promise<{ day: Day; ad_id: string }> {
  const { code, stderr } = await logIn(given);
  assertEquals([code, stderr], [0, ""]);
  const { user_id } = await given.cli.json<{ user_id: string }>("me");
  return await readyToBid(given.world, user_id);
}

/** What a command that ended without a result says in JSON. */
export function errorOf(
  { stderr }: ProcessEnd,
): { code: string | null; message: string; advice: string; ad_id?: string } {
  return JSON.parse(stderr.trim().split("\n").at(-1) ?? "").error;
}
