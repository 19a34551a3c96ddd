import type { Services } from "../../ports.ts";
import { responseAddress } from "../authorization_response.ts";
import { findRequest, type OpenAuthorization } from "./open_authorization.ts";

/**
 * Answers a request with the user's no, once.
 *
 * @returns where the browser is sent: `access_denied`, or the request's own
 * error
 * @throws {Refused} as openAuthorization() does
 */
export function denyAuthorization(
  services: Services,
  input: OpenAuthorization,
): Promise<{ redirectTo: string }> {
  return services.store.transact(async (tx) => {
    const request = await findRequest(tx, input);
    tx.authorizationRequests.remove(request);
    const error = request.outcome.kind === "error" ? request.outcome : {
      error: "access_denied" as const,
      description: "The user did not approve the request",
    };
    const { settings } = services;
    return { redirectTo: responseAddress(settings, request, error) };
  });
}
