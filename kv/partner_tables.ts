import { type Partner, partnerPlace } from "../domain/partners/partner.ts";
import { dueRow } from "./due_rows.ts";
import { keys } from "./keys.ts";
import { familyOf, type TableDefinitions } from "./table_definition.ts";

/** The layout of what belongs to the partner programme. */
export const partnerTables: TableDefinitions<
  | "partners"
  | "referralLinks"
  | "commissions"
  | "partnerBalances"
  | "statements"
  | "payouts"
> = {
  partners: {
    key: keys.partner,
    idOf: ({ accountId }) => [accountId],
    indexes: (partner) => [{
      key: deskKey(partner),
      value: { accountId: partner.accountId },
    }],
    pointer: ["accountId"],
    indexFamilies: [keys.waitingPartner, keys.decidedPartner].map(familyOf),
  },
  referralLinks: {
    key: keys.referralLink,
    idOf: ({ code }) => [code],
    indexes: ({ code, partnerId, createdAtMs }) => [{
      key: keys.linkOfPartner(partnerId, createdAtMs, code),
      value: { code },
    }],
    pointer: ["code"],
    indexFamilies: [keys.linkOfPartner].map(familyOf),
  },
  commissions: {
    key: keys.commission,
    idOf: ({ invoiceId }) => [invoiceId],
    indexes: ({ invoiceId, partnerId, createdAtMs }) => [{
      key: keys.commissionOfPartner(partnerId, createdAtMs, invoiceId),
      value: { invoiceId },
    }],
    pointer: ["invoiceId"],
    indexFamilies: [keys.commissionOfPartner].map(familyOf),
  },
  partnerBalances: {
    key: keys.partnerBalance,
    idOf: ({ partnerId }) => [partnerId],
    indexes: (balance) => dueRow("statements", balance.partnerId, balance),
    pointer: ["partnerId"],
    indexFamilies: [keys.dueStatement].map(familyOf),
  },
  statements: {
    key: keys.statement,
    idOf: ({ partnerId, number }) => [partnerId, number],
  },
  payouts: {
    key: keys.payout,
    idOf: ({ id }) => [id],
    indexes: (payout) => {
      const { id: payoutId, partnerId, requestedAtMs } = payout;
      const key = keys.payoutOfPartner(partnerId, requestedAtMs, payoutId);
      return [
        { key, value: { payoutId } },
        ...dueRow("payouts", payoutId, payout),
      ];
    },
    pointer: ["payoutId"],
    indexFamilies: [keys.payoutOfPartner, keys.duePayout].map(familyOf),
  },
};

/** Who waits has a list of its own: applying is free, so there may be many. */
function deskKey(partner: Partner): Deno.KvKey {
  const { atMs, accountId } = partnerPlace(partner);
  return partner.state === "applied"
    ? keys.waitingPartner(atMs, accountId)
    : keys.decidedPartner(atMs, accountId);
}
