import { z } from "zod";
import {
  beginPasskey,
  registerPasskey,
} from "../../../domain/passkeys/register_passkey.ts";
import {
  beginPasskeySignIn,
  signInWithPasskey,
} from "../../../domain/passkeys/sign_in_with_passkey.ts";
import { PAGES } from "../../../domain/pages.ts";
import { refuse } from "../../../domain/refusal.ts";
import { isFresh } from "../../../domain/sessions/session.ts";
import type { SignedIn } from "../../../domain/sessions/read_session.ts";
import { ID_MAX, judgedText } from "../../http/bounded_text.ts";
import { chargeNetworks } from "../../middleware/rate_limit.ts";
import { signedInOf } from "../../middleware/session.ts";
import { type Route, route, type RouteContext } from "../../route_table.ts";
import { NEXT_MAX, nextPath } from "../../middleware/next_path.ts";
import { readInput } from "../../http/json_body.ts";
import { doneAddress } from "../pages/done_note.ts";
import { refuseOthers } from "../pages/form_owner.ts";
import { rememberDevice } from "./known_device.ts";
import type { SignInParts } from "./sign_in_parts.ts";
import { browserOf, landingOf } from "./sign_in_routes.tsx";
import { respondJson, withCookies } from "../../http/respond.ts";

const nothing = z.object({});
/** Whose page asks for another passkey. */
const adding = z.object({ shown_to: judgedText(ID_MAX).optional() });
const registration = z.object({ response: z.unknown() });
const assertion = z.object({
  response: z.unknown(),
  next: judgedText(NEXT_MAX),
});

const ACTION = "Cannot use the passkey";

/** What the scripts of our pages ask for: making and using passkeys. */
export function passkeyRoutes(parts: SignInParts): Route[] {
  return [
    route("POST", "/passkeys/options", async (context) => {
      const { shown_to = null } = await readInput(adding, context, ACTION);
      const signedIn = freshlySignedIn(context, parts);
      refuseOthers(shown_to, signedIn.account);
      await chargeNetworks(context, parts, "passkey");
      return answer(await beginPasskey(parts.services, signedIn));
    }),
    route("POST", "/passkeys", async (context) => {
      const { response } = await readInput(
        registration,
        context,
        ACTION,
      );
      const signedIn = freshlySignedIn(context, parts);
      const passkey = await registerPasskey(parts.services, signedIn, response);
      const next = doneAddress({ services: parts.services, signedIn }, {
        path: PAGES.settings,
        done: "passkey-added",
      });
      return answer({ id: passkey.id, name: passkey.name, next });
    }),
    route(
      "POST",
      "/passkeys/sign-in/options",
      (context) => beginSignIn(context, parts),
    ),
    route("POST", "/passkeys/sign-in", (context) => signIn(context, parts)),
  ];
}

/**
 * A browser keeps the secret it has, so that a page left open in another tab
 * goes on working.
 */
async function beginSignIn(
  context: RouteContext,
  parts: SignInParts,
): Promise<Response> {
  const { services, signInCookie } = parts;
  await readInput(nothing, context, ACTION);
  await chargeNetworks(context, parts, "passkey");
  const secret = signInCookie.read(context.req.raw) ?? services.ids.secret();
  const options = await beginPasskeySignIn(services, secret);
  return answer(options, [signInCookie.set(secret)]);
}

async function signIn(
  context: RouteContext,
  parts: SignInParts,
): Promise<Response> {
  const { services, sessionCookie, signInCookie } = parts;
  const sent = await readInput(assertion, context, ACTION);
  const { sessionId, email } = await signInWithPasskey(services, {
    ...browserOf(context, parts),
    browserSecret: signInCookie.read(context.req.raw),
    response: sent.response,
  });
  const cookies = [
    sessionCookie.set(sessionId),
    signInCookie.clear(),
    rememberDevice(context, parts, email),
  ];
  const next = landingOf(nextPath(sent.next), email, services);
  return answer({ next }, cookies);
}

/**
 * A passkey opens the account for good, so that making one takes a sign-in of
 * the last minutes.
 */
function freshlySignedIn(
  context: RouteContext,
  { services }: SignInParts,
): SignedIn {
  const signedIn = signedInOf(context);
  if (!isFresh(signedIn.session, services.clock.now())) {
    refuse({ code: "sign_in_stale" });
  }
  return signedIn;
}

function answer(body: unknown, cookies: readonly string[] = []): Response {
  const answer = respondJson(body, {
    headers: {
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    },
  });
  return withCookies(answer, cookies);
}
