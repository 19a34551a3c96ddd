import { assert } from "@std/assert";
import {
  type Refusal,
  type RefusalCode,
  type RefusalOf,
  Refused,
} from "../../domain/refusal.ts";

/** Asserts that the call is refused with the code, and returns the refusal. */
export async function assertRefused<Code extends RefusalCode>(
  call: () => unknown,
  code: Code,
): Promise<RefusalOf<Code>> {
  const refusal = await refusalOf(call);
  assert(refusal?.code === code, `refused with ${refusal?.code}, not ${code}`);
  return refusal as RefusalOf<Code>;
}

/** The refusal of a call; null when it succeeds. Anything else is thrown. */
export async function refusalOf(call: () => unknown): Promise<Refusal | null> {
  try {
    await call();
    return null;
  } catch (thrown) {
    if (thrown instanceof Refused) return thrown.refusal;
    throw thrown;
  }
}
