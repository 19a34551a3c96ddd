import { invariant } from "../invariant.ts";
import type { Keys, Services } from "../ports.ts";

/** What signing in needs. */
export type SignInServices = Pick<
  Services,
  "clock" | "ids" | "keys" | "store" | "settings"
>;

/** Names a value without telling it, under the key of now. */
export function signInMac(keys: Keys, text: string): string {
  const mac = keys.mac("sign-in", text, keys.currentId);
  invariant(mac !== null, "the key of now is among the keys");
  return mac;
}
