/** A call's definite answer. */
export type Outcome<T> =
  | { ok: true; value: T }
  | { ok: false; code: string; message: string };

/** A span of time, epoch ms, both ends included. */
export interface TimeSpan {
  from: number;
  until: number;
}

/** A part of a list; null ends it. */
export interface Page<T> {
  items: T[];
  nextCursor: string | null;
}
