import type { Verdict } from "../../domain/rate_limit/limiter.ts";
import { networksOf } from "../../domain/rate_limit/network.ts";
import { Refused } from "../../domain/refusal.ts";
import type { AnswerContext } from "../errors/answer_context.ts";
import { chargeNetworksToo, clientOf, type RateLimits } from "./rate_limit.ts";
import { publicRateHeaders } from "../http/rate_headers.ts";
import type { Gate } from "../route_table.ts";
import { PUBLIC_ANSWERS } from "../errors/public_answers.ts";

/** Refusals kept ready, one for each number of seconds to wait. */
const PREPARED_MAX = 120;

/**
 * A gate: every request costs a token of the client's public bucket. A refusal
 * is the answer that the surface renders, made once for each wait, since a
 * client in a hurry asks for it thousands of times a second.
 */
export function publicGate(
  limits: RateLimits,
  settings: AnswerContext["settings"],
): Gate {
  const prepared = new Map<number, Response>();

  function refusal(retryAfterS: number): Response {
    const before = prepared.get(retryAfterS);
    if (before !== undefined) return before.clone();
    const verdict: Verdict = { admitted: false, retryAfterS };
    const made = PUBLIC_ANSWERS.refused(
      { code: "rate_limited", retryAfterS },
      { settings, headers: publicRateHeaders(verdict) },
    );
    if (prepared.size < PREPARED_MAX) prepared.set(retryAfterS, made);
    return made.clone();
  }

  return async function charge(context) {
    const taken = limits.limiter.take("public", clientOf(context, limits));
    // Refusals from memory are no promise and are not awaited.
    const verdict = taken instanceof Promise ? await taken : taken;
    if (!verdict.admitted) return refusal(verdict.retryAfterS);
    context.set("rateHeaders", publicRateHeaders(verdict));
    return null;
  };
}

/**
 * A gate behind that of the public bucket, which an IPv4 address or a /64 has:
 * a question, which is searched for, costs a token of the wider networks too.
 */
export function questionGate(
  limits: RateLimits,
  settings: AnswerContext["settings"],
): Gate {
  return async function chargeWider(context) {
    const [, ...wider] = networksOf(clientOf(context, limits));
    if (wider.length === 0) return null;
    try {
      await chargeNetworksToo(context, limits, "question", wider);
      return null;
    } catch (thrown) {
      if (!(thrown instanceof Refused)) throw thrown;
      const headers = context.get("rateHeaders");
      return PUBLIC_ANSWERS.refused(thrown.refusal, { settings, headers });
    }
  };
}
