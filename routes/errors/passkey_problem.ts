import type { Refusal } from "../../domain/refusal.ts";
import { agentProblem } from "./agent_problem.ts";
import type { AnswerContext } from "./answer_context.ts";
import { engineProblem } from "./engine_problem.ts";

/** A refusal of passkeys that agents meet, too. */
export type PasskeyRefusal = Extract<
  Refusal,
  { code: "passkey_not_found" | "last_sign_in_method" }
>;

/** Whether a refusal is about removing a passkey. */
export function isPasskeyRefusal(refusal: Refusal): refusal is PasskeyRefusal {
  const { code } = refusal;
  return code === "passkey_not_found" || code === "last_sign_in_method";
}

/** 404 `agent.not-found`, or 409 `CONFLICT` for the last way to sign in. */
export function passkeyProblem(
  { code }: PasskeyRefusal,
  context: AnswerContext,
): Response {
  if (code === "passkey_not_found") {
    const detail = "Cannot find the passkey";
    return agentProblem({ code: "agent.not-found", detail }, context);
  }
  return engineProblem({
    code: "CONFLICT",
    detail: "Cannot remove the passkey: it is the last way to sign in",
  }, context);
}
