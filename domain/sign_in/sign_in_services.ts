import type { Services } from "../ports.ts";

/** What signing in needs. */
export type SignInServices = Pick<
  Services,
  "clock" | "ids" | "keys" | "store" | "settings"
>;
