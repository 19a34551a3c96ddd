import type { Services } from "../../ports.ts";
import { responseAddress } from "../authorization_response.ts";
import { oauthError } from "./check.ts";
import { findRequest, type OpenAuthorization } from "./open_authorization.ts";

/**
 * Answers a request with the user's no, once.
 *
 * @returns where the browser is sent, with `access_denied`
 * @throws {Refused} as openAuthorization() does
 */
export function denyAuthorization(
  services: Services,
  input: OpenAuthorization,
): Promise<{ redirectTo: string }> {
  return services.store.transact(async (tx) => {
    const request = await findRequest(tx, input);
    tx.authorizationRequests.remove(request);
    const error = oauthError(
      "access_denied",
      "The user did not approve the request",
    );
    const { settings } = services;
    return { redirectTo: responseAddress(settings, request, error) };
  });
}
