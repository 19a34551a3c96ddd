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

/** The last minutes of a day, too few for a walk that sells it. */
const ALMOST_OVER_MS = 3 * 60_000;

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

/** Today by the real clock, which the services that are walked through go by. */
export function today(): string {
  return new Date().toISOString().slice(0, 10);
}

/**
 * Whether today's auction is as good as over. Nobody closes a day before it has
 * begun, so no walk can take tomorrow in its place: it is not run then.
 */
export function isAlmostMidnight(): boolean {
  const soon = new Date(Date.now() + ALMOST_OVER_MS).toISOString();
  return !soon.startsWith(today());
}
