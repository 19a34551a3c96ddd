import { applyAsPartner } from "../../../domain/partners/apply.ts";
import { createLink } from "../../../domain/partners/create_link.ts";
import { endLink } from "../../../domain/partners/end_link.ts";
import {
  SET_UP_AGAIN,
  SET_UP_RETURN,
  setUpAccount,
} from "../../../domain/partners/set_up_account.ts";
import { syncOwnAccount } from "../../../domain/partners/sync_account.ts";
import { requestPayout } from "../../../domain/partners/request_payout.ts";
import { PAGES } from "../../../domain/pages.ts";
import { refuse } from "../../../domain/refusal.ts";
import { respond } from "../../http/respond.ts";
import {
  limitCallsBeside,
  limitNewcomers,
} from "../../middleware/person_limits.ts";
import type { Surface } from "../../route_table.ts";
import type { AdvertiserParts } from "../advertiser_parts.ts";
import { advertiserPage, type PageRequest } from "../pages/advertiser_page.ts";
import { doneNote, doneOf, sayDone } from "../pages/done_note.ts";
import { formsLeadTo } from "../pages/form_action.ts";
import { onceOf, tokenOf } from "../pages/form_token.ts";
import { comeBackTo, leadTo, notNow } from "../pages/hosted_page.tsx";
import { refusalOf } from "../pages/refusal_of.ts";
import { isFaulty } from "../pages/text_faults.ts";
import { AskPayoutPage } from "./ask_payout_page.tsx";
import { statementPdf } from "./statement_pdf.ts";
import {
  applyErrors,
  linkErrors,
  NOTHING_TYPED,
  type PartnerForm,
  readTyped,
} from "./partner_form.ts";
import { PartnerPage } from "./partner_page.tsx";
import { partnerView } from "./partner_view.ts";
import { savedAs } from "../../http/saved_file.ts";

const PATH = PAGES.partner;

/** What was done, by the name that the answer leads here with. */
const DONE = {
  applied: "Thank you. You are told by mail whether you are a partner.",
  "link-made": "The link was made. Sign-ups by it count from now on.",
  "link-ended": "The link has ended. Sign-ups by it no longer count.",
  "set-up-again":
    "That page of the payment processor was used, or has expired. Go on below.",
  payout: "The payout was asked for. It is sent within minutes.",
};

/** Said to who is no partner, or can't be paid any more. */
const NOT_PAID = "Only partners whose account can be paid can do this.";

/** Why no payout was made, in sentences. */
const NO_PAYOUT = {
  open: "A payout is under way already. Ask again once it is paid.",
  suspended: "Payouts wait while your account is suspended. Your account " +
    "page says why, and whom to ask.",
  too_little: "There is less than EUR 50.00 to pay out now.",
};

/** The partner programme: `/partner`. */
export function partnerSurface(parts: AdvertiserParts): Surface {
  return advertiserPage(parts, {
    path: PATH,
    proceed: [limitCallsBeside(parts, PATH), limitNewcomers(parts)],
    freshChanges: { fields: ["pitch", "name", "code", "token", "country"] },
    get: {
      [PATH]: (request) =>
        showPartner(
          request,
          doneOf(request) === "unsure"
            ? { error: UNSURE }
            : { note: doneNote(request, DONE) },
        ),
      [SET_UP_RETURN]: comeBack,
      [SET_UP_AGAIN]: (request) =>
        sayDone(request, { path: PATH, done: "set-up-again" }),
      [`${PATH}/statements/:number/pdf`]: sendStatement,
    },
    waits: [SET_UP_RETURN, `${PATH}/statements/:number/pdf`],
    post: {
      [`${PATH}/apply`]: apply,
      [`${PATH}/links`]: makeLink,
      [`${PATH}/links/end`]: stopLink,
      [`${PATH}/payouts`]: askPayout,
      [`${PATH}/set-up`]: setUp,
    },
    explain,
  });
}

async function apply(request: PageRequest): Promise<Response> {
  const { services, accountId } = request;
  const typed = readTyped(await request.form());
  const errors = applyErrors(typed);
  if (isFaulty(errors)) return await showFaults(request, { typed, errors });
  await applyAsPartner(services, { accountId, pitch: typed.pitch });
  return sayDone(request, { path: PATH, done: "applied" });
}

async function makeLink(request: PageRequest): Promise<Response> {
  const { services, accountId: partnerId } = request;
  const form = await request.form();
  const typed = readTyped(form);
  const errors = linkErrors(typed);
  if (isFaulty(errors)) return await showFaults(request, { typed, errors });
  const { name } = typed;
  const binding = onceOf(request, form, { name });
  await createLink(services, { partnerId, name, binding });
  return sayDone(request, { path: PATH, done: "link-made", part: "links" });
}

async function stopLink(request: PageRequest): Promise<Response> {
  const { services, accountId: partnerId, form } = request;
  const code = (await form()).text("code");
  await endLink(services, { partnerId, code });
  return sayDone(request, { path: PATH, done: "link-ended", part: "links" });
}

/** Asks once; the page's token is the key, so that what is sent twice counts once. */
async function askPayout(request: PageRequest): Promise<Response> {
  const { services, accountId: partnerId, signedIn: by, form, show } = request;
  const token = tokenOf(await form());
  if (token === null) {
    const view = await partnerView(services, request.account);
    return show(
      <AskPayoutPage view={view} token={services.ids.secret()} />,
    );
  }
  const operation = `POST ${PATH}/payouts`;
  const binding = {
    owner: partnerId,
    operation,
    key: token,
    requestHash: operation,
  };
  await requestPayout(services, { partnerId, by, binding });
  return sayDone(request, { path: PATH, done: "payout", part: "payouts" });
}

/** Leads to the processor's page; what was done there is read on the way back. */
async function setUp(request: PageRequest): Promise<Response> {
  const { services, accountId: partnerId, signedIn: by } = request;
  const typed = readTyped(await request.form());
  const country = typed.country === "" ? null : typed.country;
  try {
    const { url } = await setUpAccount(services, { partnerId, by, country });
    return leadTo(request, url);
  } catch (thrown) {
    // It is asked for nothing else that may be wrong.
    const { message } = refusalOf(thrown, "invalid_input");
    const errors = { country: `${message}.` };
    return await showFaults(request, { typed, errors });
  }
}

/** The way back from the processor's page: reads what was done there. */
function comeBack(request: PageRequest): Promise<Response> {
  const { services, accountId: partnerId } = request;
  return comeBackTo(request, PATH, async () => {
    await syncOwnAccount(services, { partnerId });
    return null;
  });
}

/** A statement as a file; there is none of another account. */
async function sendStatement(
  { services, account, accountId, param }: PageRequest,
): Promise<Response> {
  const { store, settings: { seller } } = services;
  const text = param("number");
  const number = /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 0;
  const statement = number === 0
    ? null
    : await store.statements.find(accountId, number);
  if (statement === null) {
    refuse({ code: "not_found", message: "There is no such statement" });
  }
  const partner = account.company?.name ?? account.email;
  const saved = savedAs(`statement-${number}.pdf`, "application/pdf");
  return respond(statementPdf(statement, { partner, seller }), {
    headers: { ...saved, "cache-control": "private, no-store" },
  });
}

const UNSURE = "Our payment provider can’t be reached right now. How your " +
  "account stands shows here by itself.";

/** What was in the way, said on the page, with what was typed. */
async function explain(
  request: PageRequest,
  thrown: unknown,
): Promise<Response> {
  const now = notNow(thrown);
  if (now !== null) return await showPartner(request, now);
  const refusal = refusalOf(
    thrown,
    "invalid_input",
    "payout_refused",
    "partner_required",
  );
  if (refusal.code === "partner_required") {
    return await showPartner(request, { error: NOT_PAID, status: 403 });
  }
  if (refusal.code === "payout_refused") {
    const error = NO_PAYOUT[refusal.why];
    return await showPartner(request, { error, status: 409 });
  }
  const typed = readTyped(await request.form());
  const form = { typed, errors: {} };
  const error = `${refusal.message}.`;
  return await showPartner(request, { error, form, status: 400 });
}

function showFaults(
  request: PageRequest,
  form: PartnerForm,
): Promise<Response> {
  return showPartner(request, { form, status: 400 });
}

async function showPartner(
  { services, account, hostedPages, show }: PageRequest,
  {
    note = null,
    error = null,
    form = NOTHING_TYPED,
    status = 200,
    headers = {},
  }: {
    note?: string | null;
    error?: string | null;
    form?: PartnerForm;
    status?: number;
    headers?: Readonly<Record<string, string>>;
  },
): Promise<Response> {
  const view = await partnerView(services, account);
  const page = (
    <PartnerPage
      view={view}
      note={note}
      error={error}
      form={form}
      token={services.ids.secret()}
    />
  );
  const named = { ...formsLeadTo(hostedPages), ...headers };
  return show(page, { status, headers: named });
}
