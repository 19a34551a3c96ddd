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
import {
  requireFresh,
  seeOther,
  signedInOf,
} from "../../middleware/session.ts";
import { type Route, route, type RouteContext } from "../../route_table.ts";
import { readForm } from "../../http/form_body.ts";
import { privateAnswer } from "../../pages/page_answer.ts";
import { queryParam } from "../../http/query.ts";
import type { SignInParts } from "../sign_in/sign_in_parts.ts";
import { AccountPage } from "./account_page.tsx";
import { readMailChoices } from "./mail_choices.tsx";
import { refusalOf } from "../pages/refusal_of.ts";

/** What a change of passkeys says once it is done, by the query it leads to. */
const DONE: Readonly<Record<string, string>> = {
  added: "The passkey was added. You can sign in with it from now on.",
  renamed: "The passkey has its new name.",
  removed: "The passkey was removed. It cannot sign in any more.",
};

/** The account's page and what can be done there without a script. */
export function accountRoutes(parts: SignInParts): Route[] {
  return [
    route("GET", "/account", (context) => {
      const done = queryParam(context, "mails") === "saved"
        ? "Your choice of mails was saved."
        : DONE[queryParam(context, "passkey") ?? ""] ?? null;
      return accountPage(context, parts, { done });
    }),
    route("POST", "/account/sign-out", (context) => signOut(context, parts)),
    route(
      "POST",
      "/account/sign-out-everywhere",
      (context) => signOutEverywhere(context, parts),
    ),
    route("POST", "/account/mails", (context) => saveMails(context, parts)),
    route(
      "POST",
      "/account/passkeys/rename",
      (context) => rename(context, parts),
    ),
    route(
      "POST",
      "/account/passkeys/remove",
      (context) => remove(context, parts),
    ),
  ];
}

async function signOut(
  context: RouteContext,
  { services, sessionCookie }: SignInParts,
): Promise<Response> {
  const sessionId = sessionCookie.read(context.req.raw);
  if (sessionId !== null) await endSession(services, sessionId);
  return signedOut(sessionCookie.clear());
}

async function signOutEverywhere(
  context: RouteContext,
  { services, sessionCookie }: SignInParts,
): Promise<Response> {
  const { account: { id: accountId } } = signedInOf(context);
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
  context: RouteContext,
  { services }: SignInParts,
): Promise<Response> {
  const { account: { id: accountId } } = signedInOf(context);
  const choices = readMailChoices(await readForm(context));
  await chooseMails(services, { accountId, choices });
  return seeOther("/account?mails=saved");
}

async function rename(
  context: RouteContext,
  parts: SignInParts,
): Promise<Response> {
  const form = await readForm(context);
  try {
    await renamePasskey(parts.services, {
      accountId: signedInOf(context).account.id,
      passkeyId: form.text("passkey"),
      name: parsePasskeyName(form.text("name")),
    });
  } catch (thrown) {
    const { message } = refusalOf(thrown, "invalid_input");
    return await accountPage(context, parts, { error: `${message}.` });
  }
  return seeOther("/account?passkey=renamed");
}

/** Taking a passkey away takes a sign-in of the last minutes. */
async function remove(
  context: RouteContext,
  parts: SignInParts,
): Promise<Response> {
  const stale = requireFresh(parts)(context);
  if (stale !== null) return stale;
  const form = await readForm(context);
  await removePasskey(parts.services, {
    accountId: signedInOf(context).account.id,
    passkeyId: form.text("passkey"),
    binding: null,
  });
  return seeOther("/account?passkey=removed");
}

async function accountPage(
  context: RouteContext,
  { services }: SignInParts,
  notes: { done?: string | null; error?: string },
): Promise<Response> {
  const signedIn = signedInOf(context);
  const page = (
    <AccountPage
      signedIn={signedIn}
      seller={services.settings.seller}
      isOperator={isOperator(signedIn.account, services.settings)}
      passkeys={await listPasskeys(services, signedIn.account.id)}
      sessions={await listSessions(services, signedIn.account.id)}
      done={notes.done ?? null}
      error={notes.error ?? null}
    />
  );
  const status = notes.error === undefined ? 200 : 400;
  return privateAnswer(context, page, { status });
}
