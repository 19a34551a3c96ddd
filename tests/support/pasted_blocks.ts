/**
 * Blocks of commands that readers paste into a shell, with what is said about
 * their answers.
 *
 * @module
 */
import { assertStringIncludes } from "@std/assert";

/** Begins a line that says what an answer has in it. */
const MARK = "# → ";
const BETWEEN = "==== next block ====";

/** Minutes before midnight from which the next day is bid on. */
const ALMOST_OVER_MS = 5 * 60_000;

/** A block of commands, and what its output contains, in this order. */
export interface Block {
  commands: string;
  fragments: string[];
}

/** Reads a block. */
export function blockOf(commands: string): Block {
  const fragments = commands.split("\n")
    .filter((line) => line.startsWith(MARK))
    .map((line) => line.slice(MARK.length));
  return { commands, fragments };
}

/** Blocks as one script, whose output {@linkcode outputsOf} takes apart. */
export function scriptOf(blocks: readonly Block[]): string {
  return blocks.map(({ commands }) => commands)
    .join(`\necho; echo '${BETWEEN}'\n`);
}

/** The output of each block of a script. */
export function outputsOf(stdout: string): string[] {
  return stdout.split(BETWEEN);
}

/** Holds the output of a block to what it says, each after the one before. */
export function assertAnswers(
  output: string,
  { commands, fragments }: Block,
): void {
  let rest = output;
  for (const fragment of fragments) {
    assertStringIncludes(rest, fragment, `${commands}\n${output}`);
    rest = rest.slice(rest.indexOf(fragment) + fragment.length);
  }
}

/** Today, or tomorrow when today's auction is as good as over. */
export function biddableDay(): { day: string; isOpen: boolean } {
  const now = Date.now();
  const day = new Date(now + ALMOST_OVER_MS).toISOString().slice(0, 10);
  return { day, isOpen: new Date(now).toISOString().startsWith(day) };
}
