import { dateOf } from "../../domain/doctor/clock.ts";

/** What the clock of a web server says, epoch ms; null where none answers. */
export async function dateAt(
  url: string,
  signal: AbortSignal,
): Promise<number | null> {
  try {
    const answer = await fetch(url, {
      method: "HEAD",
      redirect: "manual",
      signal,
    });
    return dateOf(answer.headers.get("date"));
  } catch {
    return null;
  }
}
