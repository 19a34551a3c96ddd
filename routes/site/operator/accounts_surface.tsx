import { readReason } from "../../../domain/accounts/decide_about_account.ts";
import {
  DESK_ACCOUNTS_MAX,
  findDeskAccount,
  readDeskAccount,
} from "../../../domain/accounts/read_desk_account.ts";
import { reviewerOf } from "../../../domain/accounts/require_operator.ts";
import type { RefusalCode } from "../../../domain/refusal.ts";
import { seeOther } from "../../middleware/session.ts";
import type { Surface } from "../../route_table.ts";
import type { AdvertiserParts } from "../advertiser_parts.ts";
import {
  operatorPage,
  type PageHandler,
  type PageRequest,
} from "../pages/advertiser_page.ts";
import { refusalOf } from "../pages/refusal_of.ts";
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
const CONFLICTS = {
  decision_outdated: "That was not done: what you decided about has changed, " +
    "or was decided meanwhile. This is how it stands now.",
  vat_id_taken:
    "That was not done: another account holds this VAT id. Release " +
    "it there first.",
} as const satisfies Partial<Record<RefusalCode, string>>;

/** The operator's pages about accounts. */
export function accountsSurface(parts: AdvertiserParts): Surface {
  const one = `${ACCOUNTS_PATH}/:id`;
  const acts = ACCOUNT_ACT_NAMES.map((act): [string, PageHandler] => [
    `${one}/${act}`,
    (request) => decide(request, act),
  ]);
  return operatorPage(parts, {
    path: ACCOUNTS_PATH,
    get: { [ACCOUNTS_PATH]: showAll, [one]: showOne },
    post: Object.fromEntries(acts),
    freshChanges: { fields: ["reason", "about"] },
  });
}

async function showAll(
  { services, query, show }: PageRequest,
): Promise<Response> {
  const sought = (query("find") ?? "").slice(0, SHOWN_MAX);
  const found = sought === "" ? null : await findDeskAccount(services, sought);
  if (found !== null) return seeOther(accountPath(found));
  const waiting = await services.store.listWaitingAccounts({
    limit: DESK_ACCOUNTS_MAX,
  });
  const error = sought === "" ? null : "No account has this id or address.";
  return show(<AccountsPage waiting={waiting} sought={sought} error={error} />);
}

function showOne(request: PageRequest): Promise<Response> {
  const done = request.query("done");
  const act = ACCOUNT_ACT_NAMES.find((name) => name === done);
  const note = act === undefined ? null : accountAct(act).done;
  return showAccount(request, { note, error: null, typed: null });
}

/** Asks once what was meant, then decides and leads back to the account. */
async function decide(
  request: PageRequest,
  act: AccountActName,
): Promise<Response> {
  const { services, account: operator, param, show } = request;
  const by = reviewerOf(operator, services.settings);
  const accountId = param("id");
  const form = await request.form();
  const typed = form.text("reason", SHOWN_MAX);
  const about = form.text("about") || null;
  try {
    const reason = readReason(typed);
    if (form.text("confirmed") !== "yes") {
      const { account } = await readDeskAccount(services, { accountId });
      return show(
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
    const refusal = refusalOf(
      thrown,
      "invalid_input",
      "decision_outdated",
      "vat_id_taken",
    );
    const isInput = refusal.code === "invalid_input";
    const error = isInput ? refusal.message : CONFLICTS[refusal.code];
    const shown = { note: null, typed: { act, reason: typed }, error };
    return await showAccount(request, shown, isInput ? 400 : 409);
  }
  return seeOther(`${accountPath(accountId)}?done=${act}`);
}

async function showAccount(
  { services, param, show }: PageRequest,
  shown: Omit<OperatorAccountProps, "item">,
  status = 200,
): Promise<Response> {
  const item = await readDeskAccount(services, { accountId: param("id") });
  return show(<OperatorAccountPage item={item} {...shown} />, { status });
}
