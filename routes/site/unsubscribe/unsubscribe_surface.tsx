import { unsubscribe } from "../../../domain/accounts/unsubscribe.ts";
import {
  readUnsubscribeToken,
  UNSUBSCRIBE_PATH,
} from "../../../domain/accounts/unsubscribe_link.ts";
import { PAGE_ANSWERS } from "../../errors/page_surface.tsx";
import { limitAddress } from "../../middleware/rate_limit.ts";
import { readVisitorGate } from "../../middleware/session.ts";
import { privateAnswer } from "../../pages/page_answer.ts";
import { route, type Surface } from "../../route_table.ts";
import type { AdvertiserParts } from "../advertiser_parts.ts";
import { InvalidPage, UnsubscribedPage, UnsubscribePage } from "./pages.tsx";

/**
 * The link in mails that can be switched off. Whoever looks, such as a mailbox
 * that looks for viruses, only gets a page with a button. The POST is that
 * button's and, without a page or a sign-in, the mailbox's own (RFC 8058): the
 * link says all, so neither its body nor its Origin matters.
 */
export function unsubscribeSurface(parts: AdvertiserParts): Surface {
  const { services } = parts;
  const one = `${UNSUBSCRIBE_PATH}/:token` as const;
  return {
    prefix: UNSUBSCRIBE_PATH,
    enter: [readVisitorGate(parts)],
    proceed: [limitAddress(parts)],
    routes: [
      route("GET", one, (context) => {
        const token = context.req.param("token");
        const { keys, clock } = services;
        const asked = readUnsubscribeToken(keys, token, clock.now());
        return asked === null
          ? privateAnswer(context, <InvalidPage />, { status: 404 })
          : privateAnswer(
            context,
            <UnsubscribePage choice={asked.choice} token={token} />,
          );
      }),
      route("POST", one, async (context) => {
        const done = await unsubscribe(services, context.req.param("token"));
        return done === null
          ? privateAnswer(context, <InvalidPage />, { status: 404 })
          : privateAnswer(context, <UnsubscribedPage choice={done.choice} />);
      }),
    ],
    answers: PAGE_ANSWERS,
  };
}
