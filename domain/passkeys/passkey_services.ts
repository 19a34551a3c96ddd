import type { SignInServices } from "../sign_in/sign_in_services.ts";
import type { Webauthn } from "./webauthn.ts";

/** What making and using passkeys needs. */
export type PasskeyServices = SignInServices & { webauthn: Webauthn };
