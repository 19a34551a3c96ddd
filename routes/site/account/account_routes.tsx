import { isOperator } from "../../../domain/accounts/eligibility.ts";
import { chooseMails } from "../../../domain/accounts/mail_choices.ts";
import { revokeEveryGrant } from "../../../domain/oauth/revoke_every_grant.ts";
import {
  listPasskeys,
  removePasskey,
  renamePasskey,
} from "../../../domain/passkeys/own_passkeys.ts";
import { parsePasskeyName } from "../../../domain/passkeys/passkey_name.ts";
import {
  endEverySession,
  endSession,
} from "../../../domain/sessions/end_session.ts";
import { listSessions } from "../../../domain/sessions/list_sessions.ts";
import { requireFresh, seeOther } from "../../middleware/session.ts";
import type { Route } from "../../route_table.ts";
import {
  type PageRequest as RequestWith,
  pageRoutes,
} from "../pages/advertiser_page.ts";
import { refusalOf } from "../pages/refusal_of.ts";
import type { SignInParts } from "../sign_in/sign_in_parts.ts";
import { AccountPage } from "./account_page.tsx";
import { readMailChoices } from "./mail_choices.tsx";

type PageRequest = RequestWith<SignInParts>;

/** What a change of passkeys says once it is done, by the query it leads to. */
const DONE: ReadonlyMap<string, string> = new Map([
  ["added", "The passkey was added. You can sign in with it from now on."],
  ["renamed", "The passkey has its new name."],
  ["removed", "The passkey was removed. It cannot sign in any more."],
]);

/** The account's page and what can be done there without a script. */
export function accountRoutes(parts: SignInParts): Route[] {
  return pageRoutes(parts, {
    get: {
      "/account": (request) => {
        const { query } = request;
        const done = query("mails") === "saved"
          ? "Your choice of mails was saved."
          : DONE.get(query("passkey") ?? "") ?? null;
        return showAccount(request, { done });
      },
    },
    post: {
      "/account/sign-out": signOut,
      "/account/sign-out-everywhere": signOutEverywhere,
      "/account/mails": saveMails,
      "/account/passkeys/rename": rename,
      "/account/passkeys/remove": remove,
    },
  });
}

async function signOut(
  { services, sessionCookie, context }: PageRequest,
): Promise<Response> {
  const sessionId = sessionCookie.read(context.req.raw);
  if (sessionId !== null) await endSession(services, sessionId);
  return signedOut(sessionCookie.clear());
}

async function signOutEverywhere(
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
  const answer = seeOther("/", [cookie]);
  answer.headers.set("clear-site-data", '"storage"');
  return answer;
}

async function saveMails(
  { services, accountId, form }: PageRequest,
): Promise<Response> {
  const choices = readMailChoices(await form());
  await chooseMails(services, { accountId, choices });
  return seeOther("/account?mails=saved");
}

async function rename(request: PageRequest): Promise<Response> {
  const { services, accountId } = request;
  const form = await request.form();
  try {
    await renamePasskey(services, {
      accountId,
      passkeyId: form.text("passkey"),
      name: parsePasskeyName(form.text("name")),
    });
  } catch (thrown) {
    const { message } = refusalOf(thrown, "invalid_input");
    return await showAccount(request, { error: `${message}.` });
  }
  return seeOther("/account?passkey=renamed");
}

/** Taking a passkey away takes a sign-in of the last minutes. */
async function remove(request: PageRequest): Promise<Response> {
  const { services, accountId, signedIn: by, context } = request;
  const stale = requireFresh(request)(context);
  if (stale !== null) return stale;
  const passkeyId = (await request.form()).text("passkey");
  await removePasskey(services, { accountId, passkeyId, by, binding: null });
  return seeOther("/account?passkey=removed");
}

async function showAccount(
  { services, signedIn, account, accountId, show }: PageRequest,
  { done = null, error = null }: {
    done?: string | null;
    error?: string | null;
  },
): Promise<Response> {
  const page = (
    <AccountPage
      signedIn={signedIn}
      seller={services.settings.seller}
      isOperator={isOperator(account, services.settings)}
      passkeys={await listPasskeys(services, accountId)}
      sessions={await listSessions(services, accountId)}
      done={done}
      error={error}
    />
  );
  return show(page, { status: error === null ? 200 : 400 });
}
