/** What was found out about one thing that the service needs. */
export interface Finding {
  /** What was looked at: `webhook`. */
  check: string;
  ok: boolean;
  /** What was seen; where it is not well, what to do. */
  says: string;
}

/** Says that something is as it has to be. */
export function well(check: string, says: string): Finding {
  return { check, ok: true, says };
}

/** Says what to do about something. */
export function trouble(check: string, says: string): Finding {
  return { check, ok: false, says };
}
