import { sha256Hex } from "../../sha256.ts";
import type { ExchangeServices } from "../issue_tokens.ts";

/** An assertion whose signature and claims are good. */
export interface VerifiedAssertion {
  clientId: string;
  jti: string;
  expiresAtMs: number;
}

/** Clocks of other machines may be so far behind. */
const KEPT_LONGER_MS = 60_000;

/**
 * Accepts an assertion once.
 *
 * @returns false when its `jti` was used before
 */
export function useAssertion(
  { store }: Pick<ExchangeServices, "store">,
  { clientId, jti, expiresAtMs }: VerifiedAssertion,
): Promise<boolean> {
  const hash = sha256Hex(`${clientId}|${jti}`);
  return store.transact(async (tx) => {
    if (await tx.usedAssertions.find(hash) !== null) return false;
    const until = expiresAtMs + KEPT_LONGER_MS;
    tx.usedAssertions.save({ hash, expiresAtMs: until });
    return true;
  });
}
