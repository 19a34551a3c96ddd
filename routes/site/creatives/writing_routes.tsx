import { createCreative } from "../../../domain/creatives/create_creative.ts";
import type { Copy, Creative } from "../../../domain/creatives/creative.ts";
import type { CreativeRecord } from "../../../domain/creatives/creative_record.ts";
import {
  ownCreative,
  refuseInState,
} from "../../../domain/creatives/own_creative.ts";
import {
  stepsBeforeReview,
  submitCreative,
} from "../../../domain/creatives/submit_creative.ts";
import { updateCreative } from "../../../domain/creatives/update_creative.ts";
import type { Answered } from "../../../domain/idempotency/answer_once.ts";
import type { Binding } from "../../../domain/idempotency/replay.ts";
import { PAGES } from "../../../domain/pages.ts";
import { STEP_NOTES } from "../first_steps/lead_on.ts";
import { readNextStep } from "../first_steps/next_step.tsx";
import {
  type PageHandlers,
  type PageRequest,
} from "../pages/advertiser_page.ts";
import { doneNote, sayDone } from "../pages/done_note.ts";
import { onceOf } from "../pages/form_token.ts";
import { refusalOf } from "../pages/refusal_of.ts";
import { copyErrors, NO_COPY, typedCopy } from "./creative_fields.ts";
import {
  CreativeFormPage,
  type CreativeFormProps,
  type Writing,
} from "./creative_form.tsx";
import { whyNot } from "./creative_words.ts";

const PATH = PAGES.creatives;

/** What is written, and where its form is. */
interface Place {
  writing: Writing;
  action: string;
}

const NEW: Place = { writing: "new", action: `${PATH}/new` };

/** The forms in which advertisements are written, with their preview. */
export const WRITING = {
  get: {
    [NEW.action]: (request) => {
      const note = doneNote(request, STEP_NOTES);
      return showForm(request, NEW, { typed: NO_COPY, note });
    },
    [`${PATH}/:id/edit`]: async (request) => {
      const creative = await editable(request);
      return showForm(request, placeOf(creative), { typed: creative });
    },
  },
  post: {
    [NEW.action]: (request) =>
      write(
        request,
        NEW,
        (owner, typed) => createCreative(request.services, { ...owner, typed }),
      ),
    [`${PATH}/:id/edit`]: async (request) => {
      const creative = await editable(request);
      const { adId } = creative;
      return await write(
        request,
        placeOf(creative),
        (owner, typed) =>
          updateCreative(request.services, { ...owner, adId, typed }),
      );
    },
  },
} satisfies PageHandlers;

function placeOf({ adId, state }: Creative): Place {
  const writing = state === "draft" ? "draft" : "version";
  return { writing, action: `${PATH}/${adId}/edit` };
}

/** One's own creative, where its state lets it be edited. */
async function editable(
  { services, accountId, param }: PageRequest,
): Promise<Creative> {
  const adId = param("id");
  const creative = await ownCreative(services.store, { accountId, adId });
  const { state } = creative;
  if (state === "submitted" || state === "archived") {
    refuseInState(creative, "update");
  }
  return creative;
}

/** Shows the preview of what was typed, or saves it and leads to its page. */
async function write(
  request: PageRequest,
  place: Place,
  save: (
    owner: { accountId: string; grantId: null; binding: Binding | null },
    typed: Copy,
  ) => Promise<Answered<CreativeRecord>>,
): Promise<Response> {
  const sent = await request.form();
  const typed = typedCopy(sent);
  const errors = copyErrors(typed);
  if (sent.text("do") === "preview") {
    return showForm(request, place, { typed, errors });
  }
  if (Object.keys(errors).length > 0) {
    const error = whyNot({ kind: "bad_copy", problems: [] });
    return showForm(request, place, { typed, errors, error }, 400);
  }
  const { accountId } = request;
  try {
    // A draft that is only changed may be saved as it was before.
    const binding = place.writing === "draft"
      ? null
      : onceOf(request, sent, { ...typed });
    const owner = { accountId, grantId: null, binding };
    const { value: { ad_id: adId } } = await save(owner, typed);
    const saved = place.writing === "version" ? "version" : "saved";
    const isHandedIn = sent.text("do") === "submit" &&
      await handIn(request, adId);
    const done = isHandedIn ? "submitted" : saved;
    return sayDone(request, { path: `${PATH}/${adId}`, done });
  } catch (thrown) {
    const error = whyNot(refusalOf(thrown, "creative_refused").why);
    return showForm(request, place, { typed, error }, 409);
  }
}

/**
 * Hands in what was just saved. Where something has come in the way since the
 * form was shown it stays a draft, whose page has the button that says what.
 */
async function handIn(
  { services, accountId }: PageRequest,
  adId: string,
): Promise<boolean> {
  const owner = { accountId, grantId: null, binding: null };
  try {
    await submitCreative(services, { ...owner, adId });
    return true;
  } catch (thrown) {
    refusalOf(thrown, "creative_refused", "human_step_required");
    return false;
  }
}

async function showForm(
  { services, account, show }: PageRequest,
  place: Place,
  shown: Pick<CreativeFormProps, "typed"> & Partial<CreativeFormProps>,
  status = 200,
): Promise<Response> {
  const { typed, errors = {}, note = null, error = null } = shown;
  const html = (
    <CreativeFormPage
      {...place}
      token={services.ids.secret()}
      typed={typed}
      errors={errors}
      note={note}
      error={error}
      maySubmit={stepsBeforeReview(account).length === 0}
      advertiser={account.company?.name ?? ""}
      next={place === NEW
        ? await readNextStep(services, account, NEW.action)
        : null}
    />
  );
  return show(html, { status });
}
