import { deriveKeys } from "../../config/keys.ts";
import {
  type SignedCookie,
  signedCookie,
} from "../../routes/middleware/signed_cookie.ts";

/** A cookie as the service makes it outside development. */
export function testCookie(
  name: string,
  environment = "production",
): SignedCookie {
  return signedCookie({
    name,
    keys: deriveKeys(
      ["a secret of at least thirty-two bytes"],
      `cookie|${name}|${environment}`,
    ),
    secure: true,
    maxAgeS: 3_600,
  });
}
