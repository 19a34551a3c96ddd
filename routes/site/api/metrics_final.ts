/**
 * Says beside paid figures whether they never change again; while they may, the
 * same purchase a day later brings more. The body has no member for it.
 */
export function finalHeader(isFinal: boolean): Record<string, string> {
  return { "metrics-final": String(isFinal) };
}
