import {
  type RefusalCode,
  type RefusalOf,
  Refused,
} from "../../../domain/refusal.ts";

/** The refusal that was thrown, if it has one of the codes; else throws on. */
export function refusalOf<Code extends RefusalCode>(
  thrown: unknown,
  ...codes: readonly Code[]
): RefusalOf<Code> {
  if (!(thrown instanceof Refused)) throw thrown;
  const { refusal } = thrown;
  if (!codes.some((code) => code === refusal.code)) throw thrown;
  return refusal as RefusalOf<Code>;
}
