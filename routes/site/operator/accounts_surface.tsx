import type { Account } from "../../../domain/accounts/account.ts";
import { casePlace } from "../../../domain/accounts/operator_case.ts";
import { readReason } from "../../../domain/accounts/decide_about_account.ts";
import {
  DESK_ACCOUNTS_MAX,
  findDeskAccounts,
  readDeskAccount,
} from "../../../domain/accounts/read_desk_account.ts";
import { reviewerOf } from "../../../domain/accounts/require_operator.ts";
import type { Services } from "../../../domain/ports.ts";
import { syncDispute } from "../../../domain/disputes/sync_dispute.ts";
import type { RefusalCode } from "../../../domain/refusal.ts";
import type { ListAnswer } from "../../http/list_query.ts";
import { CASE_POSITIONS } from "../../http/positions.ts";
import { seeOther } from "../../middleware/session.ts";
import type { Surface } from "../../route_table.ts";
import type { AdvertiserParts } from "../advertiser_parts.ts";
import {
  operatorPage,
  type PageHandler,
  type PageRequest,
} from "../pages/advertiser_page.ts";
import { doneNote } from "../pages/done_note.ts";
import { refusalOf } from "../pages/refusal_of.ts";
import { partOf } from "./list_answer.ts";
import {
  ACCOUNT_ACT_NAMES,
  accountAct,
  type AccountActName,
} from "./account_acts.ts";
import {
  OperatorAccountPage,
  type OperatorAccountProps,
} from "./account_page.tsx";
import { readAccountView, requireDispute } from "./account_view.ts";
import { AccountsPage } from "./accounts_page.tsx";
import {
  askThenAct,
  backOf,
  type Question,
  REPORTS_OF,
  SENT_BEFORE,
} from "./desk_act.tsx";
import { accountPath, ACCOUNTS_PATH } from "./paths.ts";

/** Longest text of a field that is shown again. */
const SHOWN_MAX = 2_000;

const NOTES: Readonly<Record<string, string>> = {
  ...SENT_BEFORE,
  look_at_dispute: "The processor was asked. This is how it stands.",
  ...Object.fromEntries(
    ACCOUNT_ACT_NAMES.map((name) => [name, accountAct(name).done]),
  ),
};

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
    post: {
      ...Object.fromEntries(acts),
      [`${one}/look_at_dispute`]: lookAtDispute,
    },
    freshChanges: { fields: ["reason", "about", "company_name", REPORTS_OF] },
  });
}

async function showAll(
  { services, query, show }: PageRequest,
): Promise<Response> {
  const sought = (query("find") ?? "").slice(0, SHOWN_MAX);
  const found = sought === "" ? null : await findDeskAccounts(services, sought);
  const [only, ...others] = found?.accounts ?? [];
  if (only !== undefined && others.length === 0) {
    return seeOther(accountPath(only.id));
  }
  const cursor = query("cursor") ?? undefined;
  const waiting = await readWaiting(services, cursor);
  return show(
    <AccountsPage
      waiting={waiting.items}
      next={waiting.next_cursor}
      isFurtherOn={cursor !== undefined}
      sought={sought}
      found={found}
    />,
  );
}

/** What has waited longest about accounts, from a place on. */
function readWaiting(
  { store }: Pick<Services, "store">,
  cursor: string | undefined,
): Promise<ListAnswer<Account>> {
  return partOf(cursor, {
    action: "Cannot show the accounts",
    positions: CASE_POSITIONS,
    max: DESK_ACCOUNTS_MAX,
    list: ({ limit, before: after }) =>
      store.listWaitingAccounts({ limit, after }),
    placeOf: casePlace,
    wire: (account) => account,
  });
}

function showOne(request: PageRequest): Promise<Response> {
  const note = doneNote(request, NOTES);
  return showAccount(request, { note, error: null, typed: null });
}

/** Asks once what was meant, then decides and leads back to the account. */
async function decide(
  request: PageRequest,
  act: AccountActName,
): Promise<Response> {
  const { services, account: operator, param } = request;
  const by = reviewerOf(operator, services.settings);
  const accountId = param("id");
  const form = await request.form();
  const typed = form.text("reason", SHOWN_MAX);
  const about = form.text("about") || null;
  const companyName = form.text("company_name") || undefined;
  const back = backOf(form, accountPath(accountId));
  try {
    const reason = readReason(typed);
    return await askThenAct(request, {
      form,
      ask: async () => {
        const asked = { accountId, act, reason, about, companyName };
        const question = await questionOf(services, asked);
        const fields = { ...question.fields, ...back.fields };
        return { ...question, fields, leave: back.path };
      },
      order: { act: `account.${act}`, subject: accountId, reason },
      act: (acting) =>
        accountAct(act).decide(acting, {
          accountId,
          by,
          reason,
          about,
          companyName,
        }),
      next: { path: back.path, done: act },
    });
  } catch (thrown) {
    const refusal = refusalOf(
      thrown,
      "invalid_input",
      "decision_outdated",
      "vat_id_taken",
    );
    const isInput = refusal.code === "invalid_input";
    const error = isInput ? null : CONFLICTS[refusal.code];
    const wrong = isInput ? `${refusal.message}.` : null;
    const back = { act, reason: typed, error: wrong };
    const shown = { note: null, typed: back, error };
    return await showAccount(request, shown, isInput ? 400 : 409);
  }
}

async function questionOf(
  services: Services,
  { accountId, act, reason, about, companyName }: {
    accountId: string;
    act: AccountActName;
    reason: string;
    /** What is decided about, as the operator saw it. */
    about: string | null;
    companyName: string | undefined;
  },
): Promise<Question> {
  const { account } = await readDeskAccount(services, { accountId });
  const { title, effect, button } = accountAct(act);
  const own = accountPath(accountId);
  return {
    title,
    about: (
      <>
        <strong>
          <bdi>{companyName ?? account.company?.name ?? account.email}</bdi>
        </strong>
        {about !== null && (
          <>
            . You decide about: <bdi>{about}</bdi>
          </>
        )}
      </>
    ),
    effect,
    reason,
    kind: button,
    action: `${own}/${act}`,
    fields: {
      ...about !== null && { about },
      ...companyName !== undefined && { company_name: companyName },
    },
    leave: own,
  };
}

/** Brings a dispute of the account in line with what the processor says now. */
async function lookAtDispute(request: PageRequest): Promise<Response> {
  const { services, param } = request;
  const accountId = param("id");
  const form = await request.form();
  const disputeId = form.text("about");
  await requireDispute(services, { accountId, disputeId });
  const own = accountPath(accountId);
  return await askThenAct(request, {
    form,
    ask: () => ({
      title: "Ask how the dispute stands",
      about: <code>{disputeId}</code>,
      effect: "The processor is asked, and account, invoice and books follow " +
        "what it says. The owner is told of what has changed.",
      kind: "main",
      action: `${own}/look_at_dispute`,
      fields: { about: disputeId },
      leave: own,
    }),
    order: { act: "dispute.look", subject: accountId },
    act: (acting) => syncDispute(acting, disputeId),
    next: { path: own, done: "look_at_dispute" },
  });
}

async function showAccount(
  { services, param, show }: PageRequest,
  shown: Omit<OperatorAccountProps, "item">,
  status = 200,
): Promise<Response> {
  const item = await readAccountView(services, { accountId: param("id") });
  return show(<OperatorAccountPage item={item} {...shown} />, { status });
}
