import type { Client } from "../../../domain/oauth/client.ts";
import { looksLikeUrl } from "../../../domain/oauth/clients/client_id_url.ts";
import { findGrantOf } from "../../../domain/oauth/find_grant_of.ts";
import { revokeToken } from "../../../domain/oauth/revoke_token.ts";
import { Refused } from "../../../domain/refusal.ts";
import { NO_STORE } from "../../errors/answer_context.ts";
import { respondEmpty } from "../../http/respond.ts";
import {
  authenticateClient,
  readClient,
  refuseClient,
} from "./authenticate_client.ts";
import type { TokenRequest } from "./oauth_parts.ts";
import { required } from "./read_form.ts";

/**
 * Ends a token (RFC 7009): 200 whatever the token was, so that nobody learns
 * anything of it. A proof of the client is not asked for, but has to be good if
 * one is sent.
 */
export async function revoke(request: TokenRequest): Promise<Response> {
  const { form, inTurn } = request;
  const token = required(form, "token");
  const { clientId, assertion } = readClient(form);
  if (assertion !== null) await checkAssertion(request, token, clientId);
  await revokeToken(inTurn, { token, clientId });
  return respondEmpty(200, { ...NO_STORE, "content-length": "0" });
}

async function checkAssertion(
  request: TokenRequest,
  token: string,
  clientId: string | null,
): Promise<void> {
  const { parts, form, lookUp } = request;
  if (clientId === null) refuseClient("client_assertion is not valid");
  const { services } = parts;
  const grant = await findGrantOf(services, lookUp, clientId, token);
  const known = grant?.client ?? await resolved(request, clientId);
  if (known === null) refuseClient("The client is not known");
  const assertion = form.get("client_assertion");
  const { authentication } = known;
  const named = { authentication, isApproved: grant !== null };
  await authenticateClient(request, clientId, named, assertion);
}

/** Documents that are fetched have turns of their own. */
async function resolved(
  { parts: { clients, askerOf }, context, lookUp }: TokenRequest,
  clientId: string,
): Promise<Client | null> {
  const resolve = () => clients.resolve(clientId, askerOf(context));
  try {
    return await (looksLikeUrl(clientId) ? resolve() : lookUp(resolve));
  } catch (thrown) {
    const unusable = thrown instanceof Refused &&
      thrown.refusal.code === "authorization_unusable";
    if (!unusable) throw thrown;
    return null;
  }
}
