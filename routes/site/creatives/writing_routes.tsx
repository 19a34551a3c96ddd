import { createCreative } from "../../../domain/creatives/create_creative.ts";
import type { Copy, Creative } from "../../../domain/creatives/creative.ts";
import {
  findOwnCreative,
  refuseInState,
} from "../../../domain/creatives/find_own_creative.ts";
import { updateCreative } from "../../../domain/creatives/update_creative.ts";
import type { CreativeRecord } from "../../../domain/creatives/creative_record.ts";
import type { Answered } from "../../../domain/idempotency/answer_once.ts";
import { PAGES } from "../../../domain/pages.ts";
import { seeOther, signedInOf } from "../../middleware/session.ts";
import { type Route, route, type RouteContext } from "../../route_table.ts";
import type { AdvertiserParts } from "../advertiser_parts.ts";
import { readForm } from "../../http/form_body.ts";
import { privateAnswer } from "../../pages/page_answer.ts";
import {
  type CopyErrors,
  copyErrors,
  NO_COPY,
  typedCopy,
} from "./creative_fields.ts";
import { CreativeFormPage, type Writing } from "./creative_form.tsx";
import { whyNot } from "./creative_words.ts";
import { refusalOf } from "../pages/refusal_of.ts";

const PATH = PAGES.creatives;

/** What is written, and where its form is. */
interface Place {
  writing: Writing;
  action: string;
}

/** The forms in which advertisements are written, with their preview. */
export function writingRoutes(parts: AdvertiserParts): Route[] {
  const { services } = parts;
  const fresh: Place = { writing: "new", action: `${PATH}/new` };
  const edit = `${PATH}/:id/edit` as const;
  return [
    route(
      "GET",
      `${PATH}/new`,
      (context) => form(context, fresh, { typed: NO_COPY }),
    ),
    route(
      "POST",
      `${PATH}/new`,
      (context) =>
        write(
          context,
          fresh,
          (owner, typed) => createCreative(services, { ...owner, typed }),
        ),
    ),
    route("GET", edit, async (context) => {
      const creative = await editable(context, parts, context.req.param("id"));
      return form(context, placeOf(creative), { typed: creative });
    }),
    route("POST", edit, async (context) => {
      const adId = context.req.param("id");
      const creative = await editable(context, parts, adId);
      return await write(
        context,
        placeOf(creative),
        (owner, typed) => updateCreative(services, { ...owner, adId, typed }),
      );
    }),
  ];
}

function placeOf({ adId, state }: Creative): Place {
  const writing = state === "draft" ? "draft" : "version";
  return { writing, action: `${PATH}/${adId}/edit` };
}

/** One's own creative, where its state lets it be edited. */
async function editable(
  context: RouteContext,
  { services }: AdvertiserParts,
  adId: string,
): Promise<Creative> {
  const { account: { id: accountId } } = signedInOf(context);
  const creative = await findOwnCreative(services, { accountId, adId });
  const { state } = creative;
  if (state === "submitted" || state === "archived") {
    refuseInState(creative, "update");
  }
  return creative;
}

interface Owner {
  accountId: string;
  grantId: null;
  binding: null;
}

/** Shows the preview of what was typed, or saves it and leads to its page. */
async function write(
  context: RouteContext,
  place: Place,
  save: (owner: Owner, typed: Copy) => Promise<Answered<CreativeRecord>>,
): Promise<Response> {
  const sent = await readForm(context);
  const typed = typedCopy(sent);
  const errors = copyErrors(typed);
  const isWrong = Object.keys(errors).length > 0;
  if (sent.text("do") === "preview") {
    return form(context, place, { typed, errors });
  }
  if (isWrong) {
    const error = whyNot({ kind: "bad_copy", problems: [] });
    return form(context, place, { typed, errors, error, status: 400 });
  }
  const { account: { id: accountId } } = signedInOf(context);
  try {
    const owner = { accountId, grantId: null, binding: null };
    const { value: { ad_id: adId } } = await save(owner, typed);
    const done = place.writing === "version" ? "version" : "saved";
    return seeOther(`${PATH}/${adId}?done=${done}`);
  } catch (thrown) {
    const error = whyNot(refusalOf(thrown, "creative_refused").why);
    return form(context, place, { typed, error, status: 409 });
  }
}

function form(
  context: RouteContext,
  place: Place,
  shown: {
    typed: Copy;
    errors?: CopyErrors;
    error?: string;
    status?: number;
  },
): Response {
  const { account: { company } } = signedInOf(context);
  const { typed, errors = {}, error = null, status = 200 } = shown;
  const html = (
    <CreativeFormPage
      {...place}
      typed={typed}
      errors={errors}
      error={error}
      advertiser={company?.name ?? ""}
    />
  );
  return privateAnswer(context, html, { status });
}
