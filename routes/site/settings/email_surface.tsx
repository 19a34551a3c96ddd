import { parseEmail } from "../../../domain/accounts/email.ts";
import { PAGES } from "../../../domain/pages.ts";
import { networksOf } from "../../../domain/rate_limit/network.ts";
import { parseCode } from "../../../domain/sign_in/challenge.ts";
import {
  confirmEmailChange,
  pendingEmailChange,
  requestEmailChange,
} from "../../../domain/sign_in/change_email.ts";
import { limitChanges } from "../../middleware/person_limits.ts";
import { clientOf } from "../../middleware/rate_limit.ts";
import { seeOther } from "../../middleware/session.ts";
import type { Surface } from "../../route_table.ts";
import type { AdvertiserParts } from "../advertiser_parts.ts";
import { advertiserPage, type PageRequest } from "../pages/advertiser_page.ts";
import { sayDone } from "../pages/done_note.ts";
import { refusalOf } from "../pages/refusal_of.ts";
import { type EmailField, EmailPage } from "./email_page.tsx";
import { CONFIRM_EMAIL_PATH, EMAIL_PATH } from "./settings_paths.ts";

/** Another e-mail address for an account: `/settings/email`. */
export function emailSurface(parts: AdvertiserParts): Surface {
  return advertiserPage(parts, {
    path: EMAIL_PATH,
    proceed: [limitChanges(parts)],
    get: { [EMAIL_PATH]: (request) => showEmail(request, {}) },
    post: { [EMAIL_PATH]: ask, [CONFIRM_EMAIL_PATH]: confirm },
    freshChanges: {
      fields: ["email", "current_code", "new_code"],
      nothingDone: "The address was not changed.",
    },
  });
}

async function ask(request: PageRequest): Promise<Response> {
  const { services, limiter, accountId, signedIn: by, context } = request;
  const typed = (await request.form()).text("email");
  const wanted = parseEmail(typed);
  if (wanted === null) {
    const error = "Type an e-mail address, such as ada@example.com.";
    return await showEmail(request, { typed, error, fields: ["email"] });
  }
  const networks = networksOf(clientOf(context, request));
  try {
    const asked = { accountId, by, wanted, networks };
    await requestEmailChange({ ...services, limiter }, asked);
  } catch (thrown) {
    const refusal = refusalOf(
      thrown,
      "invalid_input",
      "sign_in_mails_exhausted",
    );
    if (refusal.code === "invalid_input") {
      const error = `${refusal.message}.`;
      return await showEmail(request, { typed, error, fields: ["email"] });
    }
    const { retryAfterS } = refusal;
    return await showEmail(request, {
      typed,
      error:
        "Too many codes were asked for. Nothing was mailed. Try again in " +
        `${Math.ceil(retryAfterS / 60)} min.`,
      status: 429,
      headers: { "retry-after": String(retryAfterS) },
    });
  }
  return seeOther(EMAIL_PATH);
}

async function confirm(request: PageRequest): Promise<Response> {
  const { services, accountId, signedIn: by } = request;
  const form = await request.form();
  const current = parseCode(form.text("current_code"));
  const wanted = parseCode(form.text("new_code"));
  if (current === null || wanted === null) {
    const error = "Each code has 8 digits.";
    const fields: EmailField[] = [
      ...current === null ? ["current_code" as const] : [],
      ...wanted === null ? ["new_code" as const] : [],
    ];
    return await showEmail(request, { error, fields });
  }
  try {
    const codes = { current, wanted };
    await confirmEmailChange(services, { accountId, by, codes });
  } catch (thrown) {
    const refusal = refusalOf(
      thrown,
      "sign_in_code_gone",
      "sign_in_code_wrong",
      "email_taken",
    );
    const error = whyNot(refusal);
    // Which of them is wrong is told to nobody.
    return refusal.code === "sign_in_code_wrong"
      ? await showEmail(request, {
        error,
        fields: ["current_code", "new_code"],
      })
      : await showEmail(request, { error, status: 409 });
  }
  return sayDone(request, { path: PAGES.settings, done: "email" });
}

function whyNot(
  refusal:
    | { code: "sign_in_code_gone" | "email_taken" }
    | { code: "sign_in_code_wrong"; triesLeft: number },
): string {
  switch (refusal.code) {
    case "sign_in_code_gone":
      return "These codes are no longer valid: they were used already, are " +
        "older than 10 minutes, or were tried too often.";
    case "email_taken":
      return "This address has an account of its own here, so it can’t have " +
        "this one too. Nothing was changed.";
    case "sign_in_code_wrong":
      return "At least one of the codes is wrong. Tries left: " +
        `${refusal.triesLeft}.`;
  }
}

async function showEmail(
  { services, account, accountId, show }: PageRequest,
  { typed = "", error = null, fields = [], status, headers }: {
    typed?: string;
    error?: string | null;
    /** The fields that are wrong. */
    fields?: readonly EmailField[];
    /** 400 where a field is wrong, else 200 unless told. */
    status?: number;
    headers?: Readonly<Record<string, string>>;
  },
): Promise<Response> {
  const page = (
    <EmailPage
      email={account.email}
      pending={await pendingEmailChange(services, accountId)}
      typed={typed}
      error={error}
      fields={fields}
    />
  );
  const answered = status ?? (fields.length > 0 ? 400 : 200);
  return show(page, { status: answered, ...headers && { headers } });
}
