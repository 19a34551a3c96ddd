/**
 * Requests whose handler begins while somebody else finds out whether they are
 * let through. Nothing that the handler says goes out, and nothing that it
 * changes is committed, before that is known. Decision 0033 says why.
 *
 * @module
 */
import { TemporaryFailure } from "../domain/failure.ts";
import type { Gate, RouteContext, RouteHandler } from "./context.ts";

/**
 * The token allows other things by now than its handler began with, which
 * begins again: nobody is told of this one.
 */
class BegunOutdated extends TemporaryFailure {
  override readonly name = "BegunOutdated";
  override readonly isOrdinary = true;
}

/** Lets a request go on while it is found out whether it is let through. */
export function beginAdmission(
  context: RouteContext,
  admitted: Promise<Response | null>,
): void {
  // Whoever waits for it hears of its failure, once somebody does.
  admitted.catch(() => {});
  context.set("admitted", admitted);
}

/** Has a gate wait for those before it where the request does not. */
export function onceAdmitted(gate: Gate): Gate {
  return function onceAdmitted(context) {
    const before = context.get("admitted");
    if (before === undefined) return gate(context);
    const pass = async () => await before ?? await gate(context);
    beginAdmission(context, pass());
    return null;
  };
}

/** What a handler that has begun early waits for before it changes anything. */
export function untilAdmitted(context: RouteContext): Promise<void> {
  const admitted = context.get("admitted");
  const bearer = context.get("bearer");
  const waiting = (async () => {
    if (await admitted) throw new Error("The request is not let through");
    if (context.get("bearer") !== bearer) {
      throw new BegunOutdated("The scopes of the token have changed");
    }
  })();
  // Who only reads does not wait for it.
  waiting.catch(() => {});
  return waiting;
}

/** Waits until a request is let through; the answer of who stops it. */
export async function finishAdmission(
  context: RouteContext,
): Promise<Response | null> {
  const admitted = context.get("admitted");
  context.set("admitted", undefined);
  return await admitted ?? null;
}

/**
 * Answers by a handler that begins at once, if the request is let through; it
 * begins again where its token allows other things than was known of it.
 */
export async function answerEarly(
  context: RouteContext,
  handle: RouteHandler,
): Promise<Response> {
  const bearer = context.get("bearer");
  const begun = Promise.resolve().then(() => handle(context));
  const [admitted, answered] = await Promise.allSettled([
    context.get("admitted"),
    begun,
  ]);
  const isOutdated = context.get("bearer") !== bearer;
  const isAdmitted = admitted.status === "fulfilled" && !admitted.value;
  if (isAdmitted && !isOutdated) return await begun;
  if (answered.status === "fulfilled") await answered.value.body?.cancel();
  if (admitted.status === "rejected") throw admitted.reason;
  return admitted.value ?? await handle(context);
}
