/** Minutes a test may take: ten times the slowest on a busy machine. */
const LIMIT_MINUTES = 2;

/** What `deno test` writes each minute of a test that has not ended. */
const STILL_RUNNING = "' has been running for over ";
const MINUTES = /^[^(]{0,20}\((\d{1,4})m/;

/**
 * The name of a test that has passed its time limit, as a line of `deno test`
 * tells it; null for any other line.
 */
export function overdueTest(line: string): string | null {
  const at = line.lastIndexOf(STILL_RUNNING);
  if (at < 0) return null;
  const [, minutes] = MINUTES.exec(line.slice(at + STILL_RUNNING.length)) ?? [];
  if (Number(minutes ?? 0) < LIMIT_MINUTES) return null;
  return line.slice(line.indexOf("'") + 1, at);
}
