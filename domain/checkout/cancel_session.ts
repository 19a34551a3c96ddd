import type { Services } from "../ports.ts";
import { changeSession } from "./change_session.ts";
import type { Reply, SessionRequest } from "./reply.ts";
import { moved } from "./session.ts";

/**
 * Cancels a session that waits for its payment, and none that is being paid
 * (contract §6.5).
 *
 * @throws as {@linkcode changeSession} does
 */
export function cancelSession(
  services: Services,
  request: SessionRequest,
): Promise<Reply> {
  return changeSession(
    services,
    request,
    "cancel",
    (_tx, session, nowMs) =>
      moved({ ...session, notice: null }, "canceled", nowMs),
  );
}
