/** Minutes a test may take: ten times the slowest on a busy machine. */
const LIMIT_MINUTES = 2;
/** The same of tests that wait for a server far away, several runs at once. */
export const FAR_AWAY_LIMIT_MINUTES = 5;

/** What `deno test` writes each minute of a test that has not ended. */
const STILL_RUNNING = "' has been running for over ";
const MINUTES = /^[^(]{0,20}\((\d{1,4})m/;

/**
 * The name of a test that has passed its time limit, as a line of `deno test`
 * tells it; null for any other line.
 */
export function overdueTest(
  line: string,
  limitMinutes: number = LIMIT_MINUTES,
): string | null {
  const at = line.lastIndexOf(STILL_RUNNING);
  if (at < 0) return null;
  const [, minutes] = MINUTES.exec(line.slice(at + STILL_RUNNING.length)) ?? [];
  if (Number(minutes ?? 0) < limitMinutes) return null;
  return line.slice(line.indexOf("'") + 1, at);
}
