import {
  DESK_ACCOUNTS_MAX,
  findDeskAccount,
  readDeskAccount,
} from "../../../domain/accounts/read_desk_account.ts";
import { readReason } from "../../../domain/accounts/decide_about_account.ts";
import {
  requireOperator,
  reviewerOf,
} from "../../../domain/accounts/require_operator.ts";
import { type RefusalCode, Refused } from "../../../domain/refusal.ts";
import { seeOther, signedInOf } from "../../middleware/session.ts";
import { route, type RouteContext, type Surface } from "../../route_table.ts";
import { advertiserPage } from "../pages/advertiser_page.ts";
import type { AdvertiserParts } from "../advertiser_parts.ts";
import { readForm } from "../../http/form_body.ts";
import { privateAnswer } from "../../pages/page_answer.ts";
import { queryParam } from "../../http/query.ts";
import {
  ACCOUNT_ACT_NAMES,
  accountAct,
  type AccountActName,
} from "./account_acts.ts";
import {
  accountPath,
  ACCOUNTS_PATH,
  AccountsPage,
  ConfirmActPage,
  OperatorAccountPage,
  type OperatorAccountProps,
} from "./accounts_page.tsx";

/** Longest text of a field that is shown again. */
const SHOWN_MAX = 2_000;

/** Why something was not done, in sentences for the operator. */
const CONFLICTS: Partial<Readonly<Record<RefusalCode, string>>> = {
  decision_outdated: "That was not done: what you decided about has changed, " +
    "or was decided meanwhile. This is how it stands now.",
  vat_id_taken:
    "That was not done: another account holds this VAT id. Release " +
    "it there first.",
};

/** The operator's pages about accounts; there are none for anybody else. */
export function accountsSurface(parts: AdvertiserParts): Surface {
  const one = `${ACCOUNTS_PATH}/:id` as const;
  return advertiserPage(parts, {
    path: ACCOUNTS_PATH,
    routes: [
      route("GET", ACCOUNTS_PATH, (context) => showAll(context, parts)),
      route("GET", one, (context) => showOne(context, parts)),
      ...ACCOUNT_ACT_NAMES.map((act) =>
        route("POST", `${one}/${act}`, (context) => decide(context, parts, act))
      ),
    ],
  });
}

async function showAll(
  context: RouteContext,
  { services }: AdvertiserParts,
): Promise<Response> {
  requireOperator(signedInOf(context).account, services.settings);
  const sought = (queryParam(context, "find") ?? "").slice(0, SHOWN_MAX);
  const found = sought === "" ? null : await findDeskAccount(services, sought);
  if (found !== null) return seeOther(accountPath(found));
  const waiting = await services.store.listWaitingAccounts({
    limit: DESK_ACCOUNTS_MAX,
  });
  const error = sought === "" ? null : "No account has this id or address.";
  const page = <AccountsPage waiting={waiting} sought={sought} error={error} />;
  return privateAnswer(context, page);
}

async function showOne(
  context: RouteContext,
  parts: AdvertiserParts,
): Promise<Response> {
  requireOperator(signedInOf(context).account, parts.services.settings);
  const done = queryParam(context, "done");
  const act = ACCOUNT_ACT_NAMES.find((name) => name === done);
  const note = act === undefined ? null : accountAct(act).done;
  return await page(context, parts, { note, error: null, typed: null });
}

/** Asks once what was meant, then decides and leads back to the account. */
async function decide(
  context: RouteContext,
  parts: AdvertiserParts,
  act: AccountActName,
): Promise<Response> {
  const { services } = parts;
  const by = reviewerOf(signedInOf(context).account, services.settings);
  const accountId = context.req.param("id") ?? "";
  const form = await readForm(context);
  const typed = form.text("reason", SHOWN_MAX);
  const about = form.text("about") || null;
  try {
    const reason = readReason(typed);
    if (form.text("confirmed") !== "yes") {
      const { account } = await readDeskAccount(services, { accountId });
      return privateAnswer(
        context,
        <ConfirmActPage
          account={account}
          act={act}
          reason={reason}
          about={about}
        />,
      );
    }
    await accountAct(act).decide(services, { accountId, by, reason, about });
  } catch (thrown) {
    if (!(thrown instanceof Refused)) throw thrown;
    const { refusal } = thrown;
    const shown = { note: null, typed: { act, reason: typed } };
    const conflict = CONFLICTS[refusal.code];
    if (conflict !== undefined) {
      return await page(context, parts, { ...shown, error: conflict }, 409);
    }
    if (refusal.code !== "invalid_input") throw thrown;
    const error = refusal.message;
    return await page(context, parts, { ...shown, error }, 400);
  }
  return seeOther(`${accountPath(accountId)}?done=${act}`);
}

async function page(
  context: RouteContext,
  { services }: AdvertiserParts,
  shown: Omit<OperatorAccountProps, "item">,
  status = 200,
): Promise<Response> {
  const accountId = context.req.param("id") ?? "";
  const item = await readDeskAccount(services, { accountId });
  const html = <OperatorAccountPage item={item} {...shown} />;
  return privateAnswer(context, html, { status });
}
