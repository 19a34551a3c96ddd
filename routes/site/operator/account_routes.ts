import { z } from "zod";
import { COMPANY_LIMITS } from "../../../domain/accounts/company_form.ts";
import type { Account } from "../../../domain/accounts/account.ts";
import { actAs } from "../../../domain/audit/act_as.ts";
import type { AccountNote } from "../../../domain/accounts/account_note.ts";
import { REASON_TEXT } from "../../../domain/accounts/decide_about_account.ts";
import { eligibilityReasons } from "../../../domain/accounts/eligibility.ts";
import {
  DESK_ACCOUNTS_MAX,
  readDeskAccount,
} from "../../../domain/accounts/read_desk_account.ts";
import { vatCaseOf, vatDoubtOf } from "../../../domain/accounts/vat_claim.ts";
import { waitingRename } from "../../../domain/accounts/rename.ts";
import { isoOrNull, isoTime } from "../../../domain/day.ts";
import { namesOfLost } from "../../../domain/disputes/lift_block.ts";
import { syncDispute } from "../../../domain/disputes/sync_dispute.ts";
import { PITCH_TEXT } from "../../../domain/partners/apply.ts";
import { partnerPlace } from "../../../domain/partners/partner.ts";
import type { Services, Store } from "../../../domain/ports.ts";
import { readAll } from "../../../domain/read_all.ts";
import { boundedText, judgedText } from "../../http/bounded_text.ts";
import { PARTNER_POSITIONS } from "../../http/positions.ts";
import type { Route } from "../../route_table.ts";
import { ACCOUNT_ACT_NAMES, accountAct } from "./account_acts.ts";
import { requireDispute } from "./account_view.ts";
import { listAnswer } from "./list_answer.ts";
import { operation } from "./operation.ts";
import type { OperatorParts } from "./operator_parts.ts";

/** Longest id of the processor's. */
const DISPUTE_ID_MAX = 255;

/** What it may hold the verb decides. */
const order = z.strictObject({
  reason: judgedText(REASON_TEXT.max),
  about: judgedText(PITCH_TEXT.max).optional(),
  company_name: judgedText(COMPANY_LIMITS.name).optional(),
});

const dispute = z.strictObject({ about: boundedText(1, DISPUTE_ID_MAX) });

/** What waits about accounts, then who asks to be a partner: each once. */
async function accountsThatWait(store: Store): Promise<Account[]> {
  const limit = DESK_ACCOUNTS_MAX;
  const [waiting, applications] = await Promise.all([
    store.listWaitingAccounts({ limit }),
    store.listWaitingPartners({ limit, after: null }),
  ]);
  const known = new Set(waiting.map(({ id }) => id));
  const others = await readAll(
    store,
    applications.filter(({ accountId }) => !known.has(accountId))
      .map(({ accountId }) => store.accounts.ref(accountId)),
  );
  return [...waiting, ...others.filter((account) => account !== null)];
}

const BY = { kind: "operator_key" } as const;

/** The operator's hand on accounts: read one, and decide about it. */
export function accountRoutes({ services }: OperatorParts): Route[] {
  return [
    operation("GET", "/accounts", async () => {
      const items = await accountsThatWait(services.store);
      return { items: items.map((each) => wireAccount(each, services)) };
    }),
    // A page at a time: whoever is refused may ask again.
    operation("GET", "/partner_applications", (asked) =>
      listAnswer(asked, {
        action: "Cannot list the applications",
        positions: PARTNER_POSITIONS,
        max: DESK_ACCOUNTS_MAX,
        list: ({ limit, before: after }) =>
          services.store.listWaitingPartners({ limit, after }),
        placeOf: partnerPlace,
        wire: ({ accountId, pitch, appliedAtMs }) => ({
          account: accountId,
          pitch,
          applied_at: isoTime(appliedAtMs),
        }),
      })),
    operation("GET", "/accounts/:id", async ({ param }) => {
      const asked = { accountId: param("id") };
      const found = await readDeskAccount(services, asked);
      return {
        ...wireAccount(found.account, services),
        vat_id_held_by: found.vatHolderId,
        partner_pitch: found.partner?.pitch ?? null,
        notes: found.notes.map(wireNote),
      };
    }),
    ...ACCOUNT_ACT_NAMES.map((act) =>
      operation("POST", `/accounts/:id/${act}`, async (asked) => {
        const accountId = asked.param("id");
        const action = "Cannot decide about the account";
        const { reason, about = null, company_name: companyName } = await asked
          .body(order, action);
        const input = { accountId, by: BY, reason, about, companyName };
        const account = await actAs(services, {
          by: asked.by,
          act: `account.${act}`,
          subject: accountId,
          reason,
        }, (acting) => accountAct(act).decide(acting, input));
        return wireAccount(account, services);
      })
    ),
    operation("POST", "/accounts/:id/look_at_dispute", async (asked) => {
      const accountId = asked.param("id");
      const action = "Cannot ask how the dispute stands";
      const { about: disputeId } = await asked.body(dispute, action);
      await requireDispute(services, { accountId, disputeId });
      await actAs(
        services,
        { by: asked.by, act: "dispute.look", subject: accountId },
        (acting) => syncDispute(acting, disputeId),
      );
      const { account } = await readDeskAccount(services, { accountId });
      return wireAccount(account, services);
    }),
  ];
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
    vat_case: vatDoubtOf(account) !== null
      ? "invalid"
      : vatCaseOf(account)?.why ?? null,
    reasons: eligibilityReasons(account, settings),
    suspended_at: isoOrNull(account.suspendedAtMs),
    suspension_reason: account.suspensionReason ?? null,
    dispute_open: account.disputeOpen,
    lost_disputes: namesOfLost(account),
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
