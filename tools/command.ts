/**
 * What every tool does the same way: arguments, output and how it ends.
 *
 * @module
 */
import { ConfigError } from "../config/config.ts";
import { TemporaryFailure } from "../domain/failure.ts";
import { Refused } from "../domain/refusal.ts";
import { StoreRefused } from "../kv/open_remote.ts";

/** The arguments are not those of the tool; says what they are. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

const FAILURE_EXIT = 1;
const USAGE_EXIT = 2;
/** Of a backup that had to be of one moment, and is of several. */
export const NOT_CONSISTENT_EXIT = 3;

/** The tool can't do what it was asked for; says why, in one sentence. */
export class ToolFailure extends Error {
  override readonly name = "ToolFailure";
  readonly exitCode: number;

  constructor(
    message: string,
    options: ErrorOptions & { exitCode?: number } = {},
  ) {
    super(message, options);
    this.exitCode = options.exitCode ?? FAILURE_EXIT;
  }
}

/**
 * Runs a tool: what stops it is one line on standard error and an exit code of
 * 2 for wrong arguments, that of the failure if it has its own, 1 for all else.
 * A bug keeps its stack.
 */
export async function runTool(
  tool: (args: string[]) => Promise<void>,
): Promise<void> {
  try {
    await tool(Deno.args);
  } catch (thrown) {
    const line = lineOf(thrown);
    if (line === null) throw thrown;
    await write(Deno.stderr, `${line}\n`);
    Deno.exit(exitCodeOf(thrown));
  }
}

function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return USAGE_EXIT;
  return error instanceof ToolFailure ? error.exitCode : FAILURE_EXIT;
}

/** Prints a value as indented JSON on standard output. */
export function printJson(value: unknown): Promise<void> {
  return print(JSON.stringify(value, null, 2));
}

/** Prints a line, or several, on standard output. */
export function print(text: string): Promise<void> {
  return write(Deno.stdout, `${text}\n`);
}

/** Prints a line on standard error, beside what is printed for other programs. */
export function note(text: string): Promise<void> {
  return write(Deno.stderr, `${text}\n`);
}

/** Reads a whole number from an argument. */
export function wholeNumber(
  name: string,
  text: string,
  min: number,
  max: number,
): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
  if (number >= min && number <= max) return number;
  throw new UsageError(
    `${name} must be a whole number from ${min} to ${max}, ` +
      `current value is ${JSON.stringify(text)}`,
  );
}

/** What to say of an error that was to be expected; null of any other. */
function lineOf(error: unknown): string | null {
  if (error instanceof Refused) {
    return "message" in error.refusal ? error.refusal.message : null;
  }
  if (error instanceof StoreRefused) {
    return `Cannot open the store: ${error.message}`;
  }
  const isExpected = error instanceof UsageError ||
    error instanceof ToolFailure || error instanceof ConfigError ||
    error instanceof TemporaryFailure;
  return isExpected ? error.message : null;
}

async function write(
  stream: { write(bytes: Uint8Array): Promise<number> },
  text: string,
): Promise<void> {
  const bytes = new TextEncoder().encode(text);
  for (let done = 0; done < bytes.length;) {
    done += await stream.write(bytes.subarray(done));
  }
}
