import { archiveCreative } from "../../../domain/creatives/archive_creative.ts";
import { advertiserOf } from "../../../domain/creatives/advertiser_name.ts";
import { findOwnCreative } from "../../../domain/creatives/find_own_creative.ts";
import { listOwnCreatives } from "../../../domain/creatives/list_own_creatives.ts";
import { submitCreative } from "../../../domain/creatives/submit_creative.ts";
import { labelOf, PAGES } from "../../../domain/pages.ts";
import type { Services } from "../../../domain/ports.ts";
import { Refused } from "../../../domain/refusal.ts";
import { listAnswer, parseListQuery } from "../../http/list_query.ts";
import { CREATIVE_POSITIONS } from "../../http/positions.ts";
import { limitChanges } from "../../middleware/rate_limit.ts";
import { seeOther, signedInOf } from "../../middleware/session.ts";
import { route, type RouteContext, type Surface } from "../../route_table.ts";
import { advertiserPage } from "../pages/advertiser_page.ts";
import type { AdvertiserParts } from "../advertiser_parts.ts";
import { privateAnswer } from "../../pages/page_answer.ts";
import { queryParam } from "../../http/query.ts";
import { noteOf, whyNot } from "./creative_words.ts";
import { CreativePage, CreativesPage } from "./creatives_page.tsx";
import { writingRoutes } from "./writing_routes.tsx";

const PATH = PAGES.creatives;

/** The advertisements of an account: `/creatives`. */
export function creativesSurface(parts: AdvertiserParts): Surface {
  const one = `${PATH}/:id` as const;
  return advertiserPage(parts, {
    path: PATH,
    proceed: [limitChanges(parts)],
    routes: [
      route("GET", PATH, (context) => list(context, parts)),
      ...writingRoutes(parts),
      route("GET", one, (context) => {
        const note = noteOf(queryParam(context, "done"));
        return show(context, parts, { note });
      }),
      ...Object.entries(CHANGES).map(([name, change]) =>
        route(
          "POST",
          `${one}/${name}`,
          (context) => doChange(context, parts, change),
        )
      ),
    ],
  });
}

async function list(
  context: RouteContext,
  { services }: AdvertiserParts,
): Promise<Response> {
  const { account: { id: accountId } } = signedInOf(context);
  const action = "Cannot show the advertisements";
  const asked = parseListQuery(context, action, CREATIVE_POSITIONS.shape);
  const following = await listOwnCreatives(services, {
    accountId,
    limit: asked.limit + 1,
    before: CREATIVE_POSITIONS.at(asked.after),
  });
  const { items, next_cursor: nextCursor } = listAnswer(following, asked, {
    wire: (creative) => creative,
    positionOf: CREATIVE_POSITIONS.of,
  });
  return privateAnswer(
    context,
    <CreativesPage
      creatives={items}
      isFurtherOn={asked.after !== null}
      nextCursor={nextCursor}
    />,
  );
}

/** Whose creative something is done with, by a form. */
interface Asked {
  accountId: string;
  grantId: null;
  binding: null;
  adId: string;
}

/** What is done with a creative, and what is then said to be done. */
interface Change {
  verb(services: Services, asked: Asked): Promise<unknown>;
  done: string;
}

/** Every change but writing, by the last part of its address. */
const CHANGES: Readonly<Record<string, Change>> = {
  submit: { verb: submitCreative, done: "submitted" },
  archive: { verb: archiveCreative, done: "archived" },
};

/** Does something with a creative and leads to its page. */
async function doChange(
  context: RouteContext,
  parts: AdvertiserParts,
  { verb, done }: Change,
): Promise<Response> {
  const { account: { id: accountId } } = signedInOf(context);
  const adId = context.req.param("id") ?? "";
  try {
    const asked = { accountId, grantId: null, binding: null, adId };
    await verb(parts.services, asked);
  } catch (thrown) {
    return await explain(context, parts, thrown);
  }
  return seeOther(`${PATH}/${adId}?done=${done}`);
}

/** What is in the way, said on the page; anything else goes on its way. */
async function explain(
  context: RouteContext,
  parts: AdvertiserParts,
  thrown: unknown,
): Promise<Response> {
  if (!(thrown instanceof Refused)) throw thrown;
  const { refusal } = thrown;
  if (refusal.code === "creative_refused") {
    const error = whyNot(refusal.why);
    return await show(context, parts, { error, status: 409 });
  }
  if (refusal.code !== "human_step_required") throw thrown;
  const [step] = refusal.reasons;
  const error = (
    <>
      It was not submitted yet.{" "}
      <a href={refusal.actionUrl}>
        {step === undefined ? "See what is missing" : labelOf(step)}
      </a>
    </>
  );
  return await show(context, parts, { error, status: 409 });
}

async function show(
  context: RouteContext,
  { services }: AdvertiserParts,
  shown: {
    note?: string | null;
    error?: Parameters<typeof CreativePage>[0]["error"];
    status?: number;
  },
): Promise<Response> {
  const { account } = signedInOf(context);
  const creative = await findOwnCreative(services, {
    accountId: account.id,
    adId: context.req.param("id") ?? "",
  });
  const { note = null, error = null, status = 200 } = shown;
  const html = (
    <CreativePage
      creative={creative}
      advertiser={advertiserOf(creative, account)}
      note={note}
      error={error}
    />
  );
  return privateAnswer(context, html, { status });
}
