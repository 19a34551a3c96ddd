import type { NamedClient } from "../../../domain/oauth/clients/resolve_client.ts";
import { useAssertion } from "../../../domain/oauth/clients/use_assertion.ts";
import { refuseOauth } from "../../../domain/oauth/refuse_oauth.ts";
import type { Parameters } from "../../../domain/oauth/parameters.ts";
import { claimedClient, verifyAssertion } from "./client_assertion.ts";
import type { TokenRequest } from "./oauth_parts.ts";

const ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/**
 * Reads who a request says it comes from. Secrets and Basic authentication are
 * not offered, so sending them is a mistake that is told.
 *
 * @throws {Refused} `oauth_error` `invalid_client`, `invalid_request`
 */
export function readClient(
  form: Parameters,
): { clientId: string | null; assertion: string | null } {
  const assertion = form.get("client_assertion");
  const type = form.get("client_assertion_type");
  if ((assertion === null) !== (type === null)) {
    refuseOauth(
      "invalid_request",
      "client_assertion and client_assertion_type belong together",
    );
  }
  if (type !== null && type !== ASSERTION_TYPE) {
    refuseClient("The only client_assertion_type is jwt-bearer");
  }
  const claimed = assertion === null ? null : claimedClient(assertion);
  return { clientId: form.get("client_id") ?? claimed, assertion };
}

/**
 * Lets a public client pass and has any other prove itself, before anything it
 * asks for is used up. Keys come from what was known when the user approved; a
 * document is never fetched again here.
 *
 * @throws {Refused} `oauth_error` `invalid_client`, the same for every cause
 */
export async function authenticateClient(
  { parts, context, inTurn }: TokenRequest,
  clientId: string,
  known: NamedClient,
  assertion: string | null,
): Promise<void> {
  const { authentication } = known;
  if (authentication.method === "none") return;
  if (assertion === null) refuseClient("client_assertion is required");
  const { services, clients } = parts;
  const asker = parts.askerOf(context);
  const keys = await clients.keysOf(known, asker);
  const { authUrl: issuer } = services.settings;
  const nowMs = services.clock.now();
  const verified = keys &&
    await verifyAssertion(assertion, { clientId, issuer, keys, nowMs });
  if (!verified || !await useAssertion(inTurn, verified)) {
    refuseClient("client_assertion is not valid");
  }
}

/** Ends the request: nobody knows who it comes from. */
export function refuseClient(description: string): never {
  refuseOauth("invalid_client", description);
}
