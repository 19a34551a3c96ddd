import { refuse } from "../refusal.ts";
import { sha256Hex } from "../sha256.ts";
import type { SignInServices } from "../sign_in/sign_in_services.ts";
import type { PasskeyChallenge } from "./passkey.ts";
import type { Webauthn } from "./webauthn.ts";

/** What making and using passkeys needs. */
export type PasskeyServices = SignInServices & { webauthn: Webauthn };

/** How long a device may take to sign: 5 minutes. */
export const PASSKEY_CHALLENGE_MS = 5 * 60_000;

/** What a challenge is for, and whose. */
type ChallengeUse = Pick<PasskeyChallenge, "purpose" | "browserHash">;

type ChallengeServices = Pick<SignInServices, "clock" | "ids" | "store">;

/** Makes a challenge of 256 bits, good for one use within 5 minutes. */
export async function newPasskeyChallenge(
  { clock, ids, store }: ChallengeServices,
  use: ChallengeUse,
): Promise<string> {
  const challenge = ids.secret();
  await store.transact((tx) => {
    tx.passkeyChallenges.save({
      ...use,
      hash: sha256Hex(challenge),
      expiresAtMs: clock.now() + PASSKEY_CHALLENGE_MS,
    });
  });
  return challenge;
}

/**
 * Uses a challenge up, whatever becomes of what answered it.
 *
 * @throws {Refused} `passkey_rejected` when it is unknown, used, expired, for
 * something else or another browser's
 */
export function usePasskeyChallenge(
  { store }: Pick<ChallengeServices, "store">,
  challenge: string,
  use: ChallengeUse,
): Promise<void> {
  return store.transact(async (tx) => {
    const found = await tx.passkeyChallenges.find(sha256Hex(challenge));
    const isRight = found !== null && found.purpose === use.purpose &&
      found.browserHash === use.browserHash;
    if (!isRight) refuse({ code: "passkey_rejected" });
    tx.passkeyChallenges.remove(found);
  });
}
