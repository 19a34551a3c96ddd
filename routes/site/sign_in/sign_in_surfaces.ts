import { PAGE_ANSWERS } from "../../errors/page_surface.tsx";
import { SCRIPT_ANSWERS } from "../../errors/script_surface.ts";
import { requireOwnOrigin } from "../../middleware/origin.ts";
import { limitPerson } from "../../middleware/person_limits.ts";
import { readSessionGate } from "../../middleware/session.ts";
import type { Surface } from "../../route_table.ts";
import { referSurface } from "../refer/refer_surface.tsx";
import { passkeyRoutes } from "./passkey_routes.ts";
import type { SignInParts } from "./sign_in_parts.ts";
import { signInRoutes } from "./sign_in_routes.tsx";

/**
 * Signing in, and passkeys. What changes something has to come from our own pages, which is asked before anything is counted; signing
 * in costs a token of the client's address, or of the account where somebody
 * signs in again, whatever becomes of it.
 */
export function signInSurfaces(parts: SignInParts): Surface[] {
  const readSession = readSessionGate(parts);
  const ownOrigin = requireOwnOrigin(parts.services.settings.baseUrl);
  return [
    {
      prefix: "/sign-in",
      enter: [ownOrigin, readSession, limitPerson(parts)],
      routes: signInRoutes(parts),
      answers: PAGE_ANSWERS,
    },
    {
      prefix: "/passkeys",
      enter: [ownOrigin, readSession, limitPerson(parts)],
      routes: passkeyRoutes(parts),
      answers: SCRIPT_ANSWERS,
    },
    referSurface(parts),
  ];
}
