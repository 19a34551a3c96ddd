import { z } from "zod";
import type { Account } from "../../../domain/accounts/account.ts";
import type { AccountNote } from "../../../domain/accounts/account_note.ts";
import { REASON_TEXT } from "../../../domain/accounts/decide_about_account.ts";
import { eligibilityReasons } from "../../../domain/accounts/eligibility.ts";
import {
  DESK_ACCOUNTS_MAX,
  readDeskAccount,
} from "../../../domain/accounts/read_desk_account.ts";
import { vatCaseOf } from "../../../domain/accounts/vat_claim.ts";
import { waitingRename } from "../../../domain/accounts/rename.ts";
import { isoTime } from "../../../domain/day.ts";
import type { Services } from "../../../domain/ports.ts";
import { ID_MAX, judgedText } from "../../http/bounded_text.ts";
import { type Route, route } from "../../route_table.ts";
import {
  ACCOUNT_ACT_NAMES,
  accountAct,
  type AccountActName,
} from "./account_acts.ts";
import { isoOrNull, operatorAnswer } from "./operator_answer.ts";
import type { OperatorParts } from "./operator_parts.ts";
import { readInput } from "./read_input.ts";

/** What it may hold the verb decides. */
const order = z.strictObject({
  reason: judgedText(REASON_TEXT.max),
  about: judgedText(ID_MAX).optional(),
});

const BY = { kind: "operator_key" } as const;

/** The operator's hand on accounts: read one, and decide about it. */
export function accountRoutes(
  { services }: Pick<OperatorParts, "services">,
): Route[] {
  return [
    route("GET", "/operator/v1/accounts", async () => {
      const waiting = await services.store.listWaitingAccounts({
        limit: DESK_ACCOUNTS_MAX,
      });
      const items = waiting.map((account) => wireAccount(account, services));
      return operatorAnswer({ items });
    }),
    route("GET", "/operator/v1/accounts/:id", async (context) => {
      const accountId = context.req.param("id");
      const { account, vatHolderId, notes } = await readDeskAccount(services, {
        accountId,
      });
      return operatorAnswer({
        ...wireAccount(account, services),
        vat_id_held_by: vatHolderId,
        notes: notes.map(wireNote),
      });
    }),
    ...ACCOUNT_ACT_NAMES.map((name) => actRoute(services, name)),
  ];
}

function actRoute(services: Services, name: AccountActName): Route {
  const path = `/operator/v1/accounts/:id/${name}` as const;
  return route("POST", path, async (context) => {
    const accountId = context.req.param("id");
    const action = "Cannot decide about the account";
    const { reason, about = null } = await readInput(
      order,
      context,
      action,
    );
    const input = { accountId, by: BY, reason, about };
    const account = await accountAct(name).decide(services, input);
    return operatorAnswer(wireAccount(account, services));
  });
}

function wireAccount(
  account: Account,
  { settings }: Pick<Services, "settings">,
): Record<string, unknown> {
  return {
    account: account.id,
    company_name: account.company?.name ?? null,
    requested_company_name: waitingRename(account)?.name ?? null,
    country: account.company?.country ?? null,
    vat_id: account.company?.vatId ?? null,
    vat_case: vatCaseOf(account)?.why ?? null,
    reasons: eligibilityReasons(account, settings),
    suspended_at: isoOrNull(account.suspendedAtMs),
    suspension_reason: account.suspensionReason ?? null,
    dispute_open: account.disputeOpen,
  };
}

function wireNote(note: AccountNote): Record<string, unknown> {
  const { event, by, atMs, reason } = note;
  return {
    event,
    by: by.kind,
    operator: by.kind === "operator" ? by.accountId : null,
    at: isoTime(atMs),
    reason,
  };
}
