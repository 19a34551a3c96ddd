import { isOperator } from "../../../domain/accounts/eligibility.ts";
import { chooseMails } from "../../../domain/accounts/mail_choices.ts";
import { PAGES } from "../../../domain/pages.ts";
import {
  listPasskeys,
  removePasskey,
  renamePasskey,
} from "../../../domain/passkeys/own_passkeys.ts";
import { parsePasskeyName } from "../../../domain/passkeys/passkey_name.ts";
import { endOwnSession } from "../../../domain/sessions/end_session.ts";
import { listSessions } from "../../../domain/sessions/list_sessions.ts";
import { limitAccount } from "../../middleware/person_limits.ts";
import { requireFresh, toSignIn } from "../../middleware/session.ts";
import type { Surface } from "../../route_table.ts";
import type { AdvertiserParts } from "../advertiser_parts.ts";
import { advertiserPage, type PageRequest } from "../pages/advertiser_page.ts";
import { doneNote, sayDone } from "../pages/done_note.ts";
import { refusalOf } from "../pages/refusal_of.ts";
import { readMailChoices } from "./mail_choices.tsx";
import type { RefusedName } from "./passkeys.tsx";
import { SettingsPage } from "./settings_page.tsx";
import { SIGN_OUT_EVERYWHERE_PATH, SIGN_OUT_PATH } from "./settings_paths.ts";
import {
  askWhetherEverywhere,
  signOut,
  signOutEverywhere,
} from "./sign_out_routes.tsx";

const PATH = PAGES.settings;

/** What was done, by the name that the answer leads here with. */
const DONE = {
  mails: "Your choice of mails was saved.",
  "passkey-added":
    "The passkey was added. You can sign in with it from now on.",
  "passkey-renamed": "The passkey has its new name.",
  "passkey-removed": "The passkey was removed. It cannot sign in any more.",
  "signed-out": "The browser was signed out.",
  email: "Your e-mail address was changed. Other browsers were signed out.",
};

/** The settings of an account: `/settings`. */
export function settingsSurface(parts: AdvertiserParts): Surface {
  return advertiserPage(parts, {
    path: PATH,
    proceed: [limitAccount(parts)],
    get: {
      [PATH]: (request) =>
        showSettings(request, { done: doneNote(request, DONE) }),
      [SIGN_OUT_EVERYWHERE_PATH]: askWhetherEverywhere,
    },
    post: {
      [SIGN_OUT_PATH]: signOut,
      [SIGN_OUT_EVERYWHERE_PATH]: signOutEverywhere,
      [`${PATH}/sessions/end`]: endOther,
      [`${PATH}/mails`]: saveMails,
      [`${PATH}/passkeys/rename`]: rename,
      [`${PATH}/passkeys/remove`]: remove,
    },
  });
}

async function endOther(request: PageRequest): Promise<Response> {
  const { services, accountId, signedIn: by, form } = request;
  const hash = (await form()).text("session");
  await endOwnSession(services, { accountId, hash, by });
  return sayDone(request, { path: PATH, done: "signed-out" });
}

async function saveMails(request: PageRequest): Promise<Response> {
  const { services, accountId, form } = request;
  const choices = readMailChoices(await form());
  await chooseMails(services, { accountId, choices });
  return sayDone(request, { path: PATH, done: "mails" });
}

async function rename(request: PageRequest): Promise<Response> {
  const { services, accountId } = request;
  const form = await request.form();
  const passkeyId = form.text("passkey");
  const typed = form.text("name");
  try {
    const name = parsePasskeyName(typed);
    await renamePasskey(services, { accountId, passkeyId, name });
  } catch (thrown) {
    const { message } = refusalOf(thrown, "invalid_input");
    const refused = { passkeyId, name: typed, error: `${message}.` };
    return await showSettings(request, { refused });
  }
  return sayDone(request, { path: PATH, done: "passkey-renamed" });
}

/** Taking a passkey away takes a sign-in of the last minutes. */
async function remove(request: PageRequest): Promise<Response> {
  const { services, accountId, signedIn: by, context } = request;
  if (requireFresh(request)(context) !== null) return toSignIn(context, PATH);
  const passkeyId = (await request.form()).text("passkey");
  await removePasskey(services, { accountId, passkeyId, by, binding: null });
  return sayDone(request, { path: PATH, done: "passkey-removed" });
}

async function showSettings(
  { services, signedIn, account, accountId, show }: PageRequest,
  { done = null, refused = null }: {
    done?: string | null;
    refused?: RefusedName | null;
  },
): Promise<Response> {
  const page = (
    <SettingsPage
      signedIn={signedIn}
      isOperator={isOperator(account, services.settings)}
      passkeys={await listPasskeys(services, accountId)}
      sessions={await listSessions(services, accountId)}
      done={done}
      refused={refused}
    />
  );
  return show(page, { status: refused === null ? 200 : 400 });
}
