import { keys } from "./keys.ts";

/** The rows of the audit in a span of time, of what has the fewest of them. */
export function actsRange(
  { subject, person, fromMs, untilMs }: {
    subject: string | null;
    person: string | null;
    fromMs: number;
    untilMs: number;
  },
  before: { atMs: number; id: string } | null,
): { start: Deno.KvKey; end: Deno.KvKey } {
  const keyOf = (atMs: number, id: string) => {
    if (subject !== null) return keys.actOfSubject(subject, atMs, id);
    if (person !== null) return keys.actOfPerson(person, atMs, id);
    return keys.operatorAct(atMs, id);
  };
  const isEarlier = before !== null && before.atMs < untilMs;
  const end = isEarlier ? keyOf(before.atMs, before.id) : keyOf(untilMs, "");
  const start = keyOf(Math.min(fromMs, untilMs), "");
  return { start, end };
}
