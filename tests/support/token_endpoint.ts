import { oauthSurfaces } from "../../routes/auth/oauth/oauth_surfaces.ts";
import { renderPublic } from "../../routes/errors/public_surface.ts";
import { routeTable } from "../../routes/route_table.ts";
import type { AgentApi } from "./agent_api.ts";
import { askHost, bindings } from "./bindings.ts";
import { ManualTimer } from "./timer.ts";

const FORM = { "content-type": "application/x-www-form-urlencoded" };

/** Posts a form from an address; the status of the answer. */
export type PostsForm = (
  form: Record<string, string>,
  remoteAddress?: string,
) => Promise<number>;

/** The endpoint of tokens, in front of the same limiter as the API. */
export function tokenEndpoint(
  { world: { services }, limiter }: AgentApi,
): PostsForm {
  const { start: startTimer } = new ManualTimer();
  const parts = { services, limiter, trustedProxyHops: 0, startTimer };
  const refused = {
    prefix: "",
    routes: [],
    answers: { refused: renderPublic },
  };
  const host = routeTable(services, [...oauthSurfaces(parts), refused]);
  return async (form, remoteAddress = "192.0.2.1") => {
    const init = {
      method: "POST",
      headers: FORM,
      body: new URLSearchParams(form),
    };
    const url = `${services.settings.authUrl}/oauth/token`;
    const answer = await askHost(host, url, init, {
      ...bindings(),
      remoteAddress,
    });
    await answer.body?.cancel();
    return answer.status;
  };
}
