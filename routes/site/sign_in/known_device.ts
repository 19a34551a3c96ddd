import { Refused } from "../../../domain/refusal.ts";
import type { RouteContext } from "../../route_table.ts";
import type { SignInParts } from "./sign_in_parts.ts";

type DeviceParts = Pick<SignInParts, "deviceCookie" | "services">;

/**
 * The id of a browser in which this very address has signed in; null for any
 * other. A cookie that is there twice is nobody's: it only gives a reserve, and
 * a neighbouring host must not keep anybody from signing in by adding one.
 */
export function deviceOf(
  context: RouteContext,
  { deviceCookie }: Pick<SignInParts, "deviceCookie">,
  email: string,
): string | null {
  try {
    return deviceCookie.read(context.req.raw, email);
  } catch (thrown) {
    if (thrown instanceof Refused) return null;
    throw thrown;
  }
}

/**
 * The Set-Cookie header after a sign-in: the browser is known from now on, or
 * for longer under the id it has.
 */
export function rememberDevice(
  context: RouteContext,
  parts: DeviceParts,
  email: string,
): string {
  const id = deviceOf(context, parts, email) ?? parts.services.ids.secret();
  return parts.deviceCookie.set(id, email);
}
