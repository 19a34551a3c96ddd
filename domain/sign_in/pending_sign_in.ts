import type { Services } from "../ports.ts";
import { challengeHash, type SignInChallenge } from "./challenge.ts";

/** The code that a browser still has to give; null when there is none. */
export async function pendingSignIn(
  { store }: Pick<Services, "store">,
  browserSecret: string | null,
): Promise<Pick<SignInChallenge, "email"> | null> {
  if (browserSecret === null) return null;
  return await store.signInChallenges.find(challengeHash(browserSecret));
}
