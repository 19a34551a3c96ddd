import { advertiserOf } from "../../../domain/creatives/advertiser_name.ts";
import { archiveCreative } from "../../../domain/creatives/archive_creative.ts";
import { ownCreative } from "../../../domain/creatives/own_creative.ts";
import { submitCreative } from "../../../domain/creatives/submit_creative.ts";
import { PAGES } from "../../../domain/pages.ts";
import { listPage, parseListQuery } from "../../http/list_query.ts";
import { CREATIVE_POSITIONS } from "../../http/positions.ts";
import {
  limitChanges,
  limitNewcomers,
} from "../../middleware/person_limits.ts";
import type { Surface } from "../../route_table.ts";
import type { AdvertiserParts } from "../advertiser_parts.ts";
import { advertiserPage, type PageRequest } from "../pages/advertiser_page.ts";
import { doneNote, sayDone } from "../pages/done_note.ts";
import { STEP_NOTES } from "../first_steps/lead_on.ts";
import { refusalOf } from "../pages/refusal_of.ts";
import { WayOut } from "../ui/way_out.tsx";
import { NOTES, whyNot } from "./creative_words.ts";
import {
  CreativePage,
  type CreativePageProps,
  CreativesPage,
} from "./creatives_page.tsx";
import { WRITING } from "./writing_routes.tsx";

const PATH = PAGES.creatives;

/** The advertisements of an account: `/creatives`. */
export function creativesSurface(parts: AdvertiserParts): Surface {
  const one = `${PATH}/:id`;
  return advertiserPage(parts, {
    path: PATH,
    proceed: [limitChanges(parts), limitNewcomers(parts)],
    get: {
      [PATH]: list,
      ...WRITING.get,
      [one]: (request) =>
        showCreative(request, { note: doneNote(request, NOTES) }),
    },
    post: {
      ...WRITING.post,
      [`${one}/submit`]: (request) =>
        change(request, submitCreative, "submitted"),
      [`${one}/archive`]: (request) =>
        change(request, archiveCreative, "archived"),
    },
  });
}

async function list(request: PageRequest): Promise<Response> {
  const { services, accountId, context, show } = request;
  const action = "Cannot show the advertisements";
  const asked = parseListQuery(context, action, CREATIVE_POSITIONS.shape);
  const page = await listPage(CREATIVE_POSITIONS, asked, {
    list: (part) => services.store.listNewestCreatives(accountId, part),
    placeOf: (creative) => creative,
    wire: (creative) => creative,
  });
  return show(
    <CreativesPage
      note={doneNote(request, STEP_NOTES)}
      creatives={page.items}
      isFurtherOn={asked.after !== null}
      nextCursor={page.next_cursor}
    />,
  );
}

/** Submits or archives a creative and leads to its page. */
async function change(
  request: PageRequest,
  verb: typeof submitCreative | typeof archiveCreative,
  done: keyof typeof NOTES,
): Promise<Response> {
  const { services, accountId, param } = request;
  const adId = param("id");
  try {
    await verb(services, { accountId, grantId: null, binding: null, adId });
  } catch (thrown) {
    return await explain(request, thrown);
  }
  return sayDone(request, { path: `${PATH}/${adId}`, done });
}

/** What is in the way, said on the page. */
async function explain(
  request: PageRequest,
  thrown: unknown,
): Promise<Response> {
  const refusal = refusalOf(thrown, "creative_refused", "human_step_required");
  if (refusal.code === "creative_refused") {
    return await showCreative(request, { error: whyNot(refusal.why) }, 409);
  }
  const [step] = refusal.reasons;
  const error = (
    <>
      It was not submitted yet.{" "}
      {step && <WayOut step={step} page={refusal.actionUrl} />}
    </>
  );
  return await showCreative(request, { error }, 409);
}

async function showCreative(
  { services, account, accountId, param, show }: PageRequest,
  { note = null, error = null }: Partial<CreativePageProps>,
  status = 200,
): Promise<Response> {
  const adId = param("id");
  const creative = await ownCreative(services.store, { accountId, adId });
  const html = (
    <CreativePage
      creative={creative}
      advertiser={advertiserOf(creative, account)}
      note={note}
      error={error}
    />
  );
  return show(html, { status });
}
