import type { Services } from "../ports.ts";

/** What signing in needs. */
export interface SignInServices
  extends Pick<Services, "clock" | "ids" | "store" | "settings"> {
  /** HMAC-SHA-256 under a key that only sign-in has, hex. */
  keyedHash(text: string): string;
}
