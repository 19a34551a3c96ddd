import { listGrants } from "../../../domain/oauth/list_grants.ts";
import { revokeEveryGrant } from "../../../domain/oauth/revoke_every_grant.ts";
import { PAGES } from "../../../domain/pages.ts";
import {
  endEverySession,
  endSession,
} from "../../../domain/sessions/end_session.ts";
import { listSessions } from "../../../domain/sessions/list_sessions.ts";
import { seeOther } from "../../middleware/session.ts";
import { agentsView } from "../agents/agents_view.ts";
import type { PageRequest } from "../pages/advertiser_page.ts";
import { SignOutEverywherePage } from "./sign_out_page.tsx";
import { withHeaders } from "../../http/respond.ts";

/** The home page, which says so. */
const SIGNED_OUT = `${PAGES.home}?done=signed-out`;

/** Signs this browser out. */
export async function signOut(
  { services, sessionCookie, context }: PageRequest,
): Promise<Response> {
  const sessionId = sessionCookie.read(context.req.raw);
  if (sessionId !== null) await endSession(services, sessionId);
  return signedOut(sessionCookie.clear());
}

/** Says what signing out everywhere ends, before it does. */
export async function askWhetherEverywhere(
  { services, accountId, show }: PageRequest,
): Promise<Response> {
  const [sessions, grants] = await Promise.all([
    listSessions(services, accountId),
    listGrants(services, { accountId }),
  ]);
  const agents = agentsView(grants, []).connected.map(({ name }) => name);
  return show(
    <SignOutEverywherePage browsers={sessions.length} agents={agents} />,
  );
}

/** Signs every browser out, and revokes every agent. */
export async function signOutEverywhere(
  { services, sessionCookie, accountId }: PageRequest,
): Promise<Response> {
  await endEverySession(services, accountId);
  await revokeEveryGrant(services, { accountId });
  return signedOut(sessionCookie.clear());
}

/**
 * Leaves nothing of the person in the browser but that it is known, which signs
 * nobody in and keeps others from locking them out.
 */
function signedOut(cookie: string): Response {
  return withHeaders(seeOther(SIGNED_OUT, [cookie]), {
    "clear-site-data": '"storage"',
  });
}
