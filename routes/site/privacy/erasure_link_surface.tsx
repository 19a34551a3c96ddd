import {
  ERASURE_LINK_PATH,
  type ErasureLink,
  readErasureToken,
} from "../../../domain/privacy/erasure_link.ts";
import {
  confirmErasure,
  keepAccount,
} from "../../../domain/privacy/request_erasure.ts";
import type { Services } from "../../../domain/ports.ts";
import { PAGE_ANSWERS } from "../../errors/page_surface.tsx";
import { requireOwnOrigin } from "../../middleware/origin.ts";
import { limitAddress } from "../../middleware/rate_limit.ts";
import { readVisitorGate } from "../../middleware/session.ts";
import type { Html } from "../../pages/html.ts";
import { privateAnswer } from "../../pages/page_answer.ts";
import { route, type RouteContext, type Surface } from "../../route_table.ts";
import type { AdvertiserParts } from "../advertiser_parts.ts";
import { refusalOf } from "../pages/refusal_of.ts";
import {
  ConfirmedPage,
  FollowedPage,
  KeptPage,
  LapsedPage,
} from "./erasure_pages.tsx";

/**
 * The links in mails about an erasure. Whoever looks, such as a mailbox that
 * looks for viruses, only gets a page with a button; the link says all, so that
 * nobody has to be signed in.
 */
export function erasureLinkSurface(parts: AdvertiserParts): Surface {
  const { services } = parts;
  const one = `${ERASURE_LINK_PATH}/:token` as const;
  const linkIn = (context: RouteContext) =>
    readErasureToken(services.keys, context.req.param("token") ?? "");
  return {
    prefix: ERASURE_LINK_PATH,
    enter: [readVisitorGate(parts)],
    proceed: [
      requireOwnOrigin(services.settings.baseUrl),
      limitAddress(parts),
    ],
    routes: [
      route("GET", one, (context) => {
        const link = linkIn(context);
        const token = context.req.param("token") ?? "";
        return link === null
          ? privateAnswer(context, <LapsedPage />, { status: 404 })
          : privateAnswer(
            context,
            <FollowedPage act={link.act} token={token} />,
          );
      }),
      route("POST", one, async (context) => {
        const link = linkIn(context);
        const page = link === null ? null : await follow(services, link);
        return page === null
          ? privateAnswer(context, <LapsedPage />, { status: 404 })
          : privateAnswer(context, page);
      }),
    ],
    answers: PAGE_ANSWERS,
  };
}

/** Does what the link says; null for one that has lapsed. */
async function follow(
  services: Services,
  { act, ...about }: ErasureLink,
): Promise<Html | null> {
  try {
    if (act === "keep") {
      return <KeptPage isKept={await keepAccount(services, about)} />;
    }
    const { eraseAtMs } = await confirmErasure(services, about);
    return <ConfirmedPage eraseAtMs={eraseAtMs ?? services.clock.now()} />;
  } catch (thrown) {
    refusalOf(thrown, "not_found");
    return null;
  }
}
