import { ProcessorRefused } from "../failure.ts";
import type { Log } from "../ports.ts";
import type { Outcome } from "./outcome.ts";

/**
 * The value of a call that the processor has no reason to refuse. A no means
 * that our set-up is wrong, such as keys of another account: it is logged for
 * the operator, who may fix it before the caller tries again.
 *
 * @throws {ProcessorRefused}
 */
export function acceptedValue<T>(
  { log }: { log: Log },
  call: string,
  outcome: Outcome<T>,
): T {
  if (outcome.ok) return outcome.value;
  log.error("processor.refused", { call, code: outcome.code });
  throw new ProcessorRefused(`The processor refused: ${call}`);
}
