import { parseCode as parseReferral } from "../../../domain/partners/create_link.ts";
import { findCountingLink } from "../../../domain/partners/refer.ts";
import { parseEmail } from "../../../domain/accounts/email.ts";
import type { SignInBrowser } from "../../../domain/sessions/start_session.ts";
import { PAGES } from "../../../domain/pages.ts";
import { isFresh } from "../../../domain/sessions/session.ts";
import { parseCode } from "../../../domain/sign_in/challenge.ts";
import { pendingSignIn } from "../../../domain/sign_in/redeem_code.ts";
import { redeemCode } from "../../../domain/sign_in/redeem_code.ts";
import { requestCode } from "../../../domain/sign_in/request_code.ts";
import { networksOf } from "../../../domain/rate_limit/network.ts";
import { clientOf } from "../../middleware/rate_limit.ts";
import { seeOther, sessionOf } from "../../middleware/session.ts";
import { type Route, route, type RouteContext } from "../../route_table.ts";
import { readForm } from "../../http/form_body.ts";
import { DEFAULT_NEXT, nextPath } from "../../middleware/next_path.ts";
import { privateAnswer } from "../../pages/page_answer.ts";
import { queryParam } from "../../http/query.ts";
import { deviceOf, rememberDevice } from "./known_device.ts";
import type { SignInParts } from "./sign_in_parts.ts";
import {
  CodePage,
  NoCodePage,
  SENT_TO,
  SignInPage,
  WITHOUT_REFERRAL,
} from "./sign_in_pages.tsx";
import { forgetCode, keptCode } from "../refer/referral_cookie.ts";
import { refusalOf } from "../pages/refusal_of.ts";

/** Signing in by a code sent to an e-mail address. */
export function signInRoutes(parts: SignInParts): Route[] {
  return [
    route("GET", "/sign-in", (context) => showSignIn(context, parts)),
    route("POST", "/sign-in", (context) => sendCode(context, parts)),
    route("GET", "/sign-in/verify", (context) => showCode(context, parts)),
    route("POST", "/sign-in/verify", (context) => takeCode(context, parts)),
  ];
}

/** The browser's own part of a sign-in, whichever way it is done. */
export function browserOf(
  context: RouteContext,
  { sessionCookie }: Pick<SignInParts, "sessionCookie">,
): SignInBrowser {
  const { raw } = context.req;
  return {
    previousSessionId: sessionCookie.read(raw),
    userAgent: raw.headers.get("user-agent") ?? "",
  };
}

/** A person who has just signed in has nothing to do here. */
async function showSignIn(
  context: RouteContext,
  parts: SignInParts,
): Promise<Response> {
  const next = nextPath(queryParam(context, "next"));
  const signedIn = sessionOf(context);
  const nowMs = parts.services.clock.now();
  if (signedIn !== null && isFresh(signedIn.session, nowMs)) {
    return seeOther(next);
  }
  const email = signedIn?.account.email ?? "";
  const referral = signedIn === null
    ? await referralOf(context, parts)
    : { code: null, cookies: [] };
  const { code, cookies } = referral;
  const shown = { next, email, referralCode: code };
  return signInPage(context, shown, { cookies });
}

/**
 * The partner's link by which somebody may sign up: the first that was followed,
 * which the browser keeps, or the one of the address. Whoever wants none is
 * asked for none any more.
 */
async function referralOf(
  context: RouteContext,
  { services }: SignInParts,
): Promise<{ code: string | null; cookies: string[] }> {
  const asked = queryParam(context, "ref");
  const kept = keptCode(context);
  if (asked === WITHOUT_REFERRAL) {
    const cookies = kept === null ? [] : [forgetCode(services.settings)];
    return { code: null, cookies };
  }
  const code = kept ?? parseReferral(asked);
  const link = code === null ? null : await findCountingLink(services, code);
  return { code: link?.code ?? null, cookies: [] };
}

async function sendCode(
  context: RouteContext,
  parts: SignInParts,
): Promise<Response> {
  const form = await readForm(context);
  const typed = form.text("email");
  const next = nextPath(form.text("next"));
  const referralCode = parseReferral(form.text("ref"));
  const email = parseEmail(typed);
  if (email === null) {
    const emailError = "Type an e-mail address, such as ada@example.com.";
    const shown = { next, email: typed, emailError, referralCode };
    return signInPage(context, shown, { status: 400 });
  }
  try {
    return await askForCode(context, parts, { email, next, referralCode });
  } catch (thrown) {
    const refusal = refusalOf(thrown, "sign_in_mails_exhausted");
    const error = "Too many codes were asked for. Try again in " +
      `${minutesText(refusal.retryAfterS)}. A passkey, or a browser in which ` +
      "you signed in before, may let you in now.";
    return signInPage(context, { next, email, error, referralCode }, {
      status: 429,
      headers: { "retry-after": String(refusal.retryAfterS) },
    });
  }
}

/**
 * While strangers have to wait, everybody is shown the same page, which says
 * so and takes the code of whoever was sent one.
 */
async function askForCode(
  context: RouteContext,
  parts: SignInParts,
  { email, next, referralCode }: {
    email: string;
    next: string;
    referralCode: string | null;
  },
): Promise<Response> {
  const { services, limiter, signInCookie } = parts;
  const asked = {
    email,
    next,
    referralCode,
    networks: networksOf(clientOf(context, parts)),
    browserSecret: signInCookie.read(context.req.raw),
    deviceId: deviceOf(context, parts, email),
  };
  const { browserSecret, strangersWaitS } = await requestCode(
    { ...services, limiter },
    asked,
  );
  const cookies = [signInCookie.set(browserSecret)];
  if (strangersWaitS === null) return seeOther("/sign-in/verify", cookies);
  const wait = minutesText(strangersWaitS);
  const shown = { email, next, referralCode, strangersWait: wait };
  const page = codePage(parts, { ...shown, error: null });
  const headers = { "retry-after": String(strangersWaitS) };
  return privateAnswer(context, page, { status: 503, headers, cookies });
}

/** Where a sign-in ends: an operator's at the desk, if nothing else was asked. */
export function landingOf(
  next: string,
  email: string,
  { settings }: Pick<SignInParts["services"], "settings">,
): string {
  const isDesk = next === DEFAULT_NEXT &&
    settings.operatorEmails.includes(email);
  return isDesk ? PAGES.desk : next;
}

function codePage(
  { services: { settings } }: SignInParts,
  shown: Omit<Parameters<typeof CodePage>[0], "isDevelopment">,
) {
  const isDevelopment = settings.environment === "development";
  return <CodePage {...shown} isDevelopment={isDevelopment} />;
}

function minutesText(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? "a minute" : `${minutes} minutes`;
}

async function showCode(
  context: RouteContext,
  parts: SignInParts,
): Promise<Response> {
  const { services, signInCookie } = parts;
  const browserSecret = signInCookie.read(context.req.raw);
  const pending = await pendingSignIn(services, browserSecret);
  return pending === null
    ? privateAnswer(context, <NoCodePage next={DEFAULT_NEXT} />)
    : privateAnswer(context, codePage(parts, { ...pending, error: null }));
}

async function takeCode(
  context: RouteContext,
  parts: SignInParts,
): Promise<Response> {
  const { services, sessionCookie, signInCookie } = parts;
  const form = await readForm(context);
  const code = parseCode(form.text("code"));
  // A code that is gone no longer says where it would have led.
  const next = nextPath(form.text("next"));
  const browserSecret = signInCookie.read(context.req.raw);
  const sentTo = form.text(SENT_TO);
  const other = await codeOfAnother(context, parts, { browserSecret, sentTo });
  if (other !== null) return other;
  if (code === null) {
    const error = "The code has 8 digits.";
    return await askAgain(context, parts, { error, next });
  }
  const browser = browserOf(context, parts);
  try {
    const input = { ...browser, browserSecret, code };
    const { sessionId, email, ...leads } = await redeemCode(services, input);
    const cookies = [
      sessionCookie.set(sessionId),
      signInCookie.clear(),
      rememberDevice(context, parts, email),
      // It was for a sign-up, and there is an account now.
      ...keptCode(context) === null ? [] : [forgetCode(services.settings)],
    ];
    return seeOther(landingOf(leads.next, email, services), cookies);
  } catch (thrown) {
    const refusal = refusalOf(
      thrown,
      "sign_in_code_gone",
      "sign_in_code_wrong",
    );
    if (refusal.code === "sign_in_code_gone") return noCode(context, next);
    const { triesLeft } = refusal;
    const left = triesLeft === 1 ? "one try" : `${triesLeft} tries`;
    const error = `That is not the code. You have ${left} left.`;
    return await askAgain(context, parts, { error, next });
  }
}

/**
 * The page of the code that this browser waits for, where a page of another
 * address was sent: a tab that says one address must not sign in as another one,
 * for which a code was asked in a second tab since.
 */
async function codeOfAnother(
  context: RouteContext,
  parts: SignInParts,
  { browserSecret, sentTo }: { browserSecret: string | null; sentTo: string },
): Promise<Response | null> {
  const pending = await pendingSignIn(parts.services, browserSecret);
  if (sentTo === "" || pending === null || pending.email === sentTo) {
    return null;
  }
  const error =
    "Since that page was shown, this browser has asked for a code " +
    `for another address. Type the one that was sent to ${pending.email}.`;
  const page = codePage(parts, { ...pending, error });
  return privateAnswer(context, page, { status: 409 });
}

async function askAgain(
  context: RouteContext,
  parts: SignInParts,
  { error, next }: { error: string; next: string },
): Promise<Response> {
  const { services, signInCookie } = parts;
  const browserSecret = signInCookie.read(context.req.raw);
  const pending = await pendingSignIn(services, browserSecret);
  if (pending === null) return noCode(context, next);
  const page = codePage(parts, { ...pending, error });
  return privateAnswer(context, page, { status: 400 });
}

function noCode(context: RouteContext, next: string): Response {
  return privateAnswer(context, <NoCodePage next={next} />, { status: 400 });
}

function signInPage(
  context: RouteContext,
  props: {
    next: string;
    email: string;
    error?: string;
    emailError?: string;
    referralCode: string | null;
  },
  init: Parameters<typeof privateAnswer>[2] = {},
): Response {
  const signedIn = sessionOf(context);
  const page = (
    <SignInPage
      {...props}
      error={props.error ?? null}
      emailError={props.emailError ?? null}
      again={signedIn !== null}
      needsPasskey={signedIn?.needsPasskey ?? false}
    />
  );
  return privateAnswer(context, page, init);
}
