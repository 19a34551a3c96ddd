import type { CompleteSession } from "../../../domain/checkout/complete_session.ts";
import { createSession } from "../../../domain/checkout/create_session.ts";
import { requestHash } from "../../../domain/idempotency/canonical_json.ts";
import type { Services } from "../../../domain/ports.ts";
import { type Buyer, DAY, MERCHANT } from "../../support/checkout_world.ts";
import { dayText } from "../../support/public_spotlights.ts";

/** Makes a session for a buyer and answers its id. */
export async function create(
  services: Services,
  { grant }: Buyer,
  day: string = DAY,
  key = "create-1",
): Promise<string> {
  const { answer } = await createSession(services, {
    grantId: grant.id,
    key,
    requestHash: requestHash({ day }),
    day: dayText(day),
    merchant: MERCHANT,
  });
  return JSON.parse(answer.body).id;
}

/** The wish to pay a session with a token. */
export function payment(
  { grant }: Buyer,
  sessionId: string,
  token: string,
  key = "complete-1",
): CompleteSession {
  const hash = requestHash({ token });
  return { grantId: grant.id, key, requestHash: hash, sessionId, token };
}
