/**
 * Who asks is judged when a request begins, and may have lost that right by the
 * time its body has come: a grant or a session ends meanwhile. So the gates that
 * judge it are passed again after a body that was waited for, and nothing is
 * done before. Decision 0187 says why.
 *
 * @module
 */
import type { Gate, RouteContext } from "../context.ts";

/** The part of a route's context that remembers its gates. */
export interface JudgedSource {
  get(key: "authority"): readonly (() => ReturnType<Gate>)[] | undefined;
}

/** A gate's answer to who may not go on, after their body was read. */
export class TurnedAway extends Error {
  override readonly name = "TurnedAway";
  readonly answer: Response;

  constructor(answer: Response) {
    super("The request is not let through any more");
    this.answer = answer;
  }
}

/** A gate that is passed again after a body that was waited for. */
export function passedAgain(gate: Gate): Gate {
  return function passedAgain(context) {
    passAfterBody(context, gate);
    return gate(context);
  };
}

/** Has a gate passed after a body that was waited for, and only then. */
export function passAfterBody(context: RouteContext, gate: Gate): void {
  const before = context.get("authority") ?? [];
  context.set("authority", [...before, () => gate(context)]);
}

/**
 * Passes the gates again, in their order.
 *
 * @throws {TurnedAway} with the answer of one, besides what gates throw
 */
export async function passAgain(source: JudgedSource): Promise<void> {
  for (const gate of source.get("authority") ?? []) {
    const stopped = await gate();
    if (stopped !== null) throw new TurnedAway(stopped);
  }
}
