/**
 * Something for every act of an operator to act on.
 *
 * @module
 */
import type { Account } from "../../../../domain/accounts/account.ts";
import { newAccount } from "../../../../domain/accounts/new_account.ts";
import { BUILT_IN_HOUSE_AD } from "../../../../domain/creatives/house_rotation.ts";
import { newArchiveTask } from "../../../../domain/invoices/archive_task.ts";
import type { Partner } from "../../../../domain/partners/partner.ts";
import type { Services } from "../../../../domain/ports.ts";
import { newCandidate } from "../../../../domain/settlement/settlement.ts";
import { bid, settlement } from "../../../kv/records.ts";
import { invoiceOf } from "../../../support/invoices.ts";
import { dayText, spotlight } from "../../../support/public_spotlights.ts";
import { troubledEvent } from "../../../support/troubled_event.ts";
import { ACCOUNT, DAY, DECISIONS, PITCH, vatIdOf } from "./acts.ts";

/** Something to act on: an account, ads, a report, a paid day, an event. */
export async function prepare({ store, clock }: Services): Promise<void> {
  const nowMs = clock.now();
  const invoice = invoiceOf(ACCOUNT, "SPOT-1", {
    day: dayText(DAY),
    money: "refunded",
  });
  const won = {
    ...newCandidate(bid(dayText(DAY), ACCOUNT), nowMs),
    step: "won" as const,
    invoiceId: invoice.id,
  };
  await store.transact((tx) => {
    for (const act of DECISIONS) tx.accounts.save(accountFor(act, nowMs));
    for (const act of ["approve_partner", "refuse_partner"] as const) {
      tx.partners.save(partnerFor(act, "applied", nowMs));
    }
    tx.partners.save(partnerFor("end_partner", "approved", nowMs));
    for (const adId of ["ad_approve", "ad_reject"]) {
      tx.creatives.save({
        adId,
        accountId: ACCOUNT,
        state: "submitted",
        headline: "Bread by bicycle",
        description: "Warm loaves at your door before eight, every day.",
        targetUrl: "https://bakery.example/",
        createdAtMs: nowMs,
        submittedAtMs: nowMs,
      });
    }
    tx.adReports.save({
      id: "report_1",
      day: dayText(DAY),
      policyId: null,
      text: "Cold loaves.",
      reportedAtMs: nowMs,
      closedAtMs: null,
      expiresAtMs: nowMs + 86_400_000,
    });
    tx.spotlights.save(spotlight(DAY));
    tx.houseAds.save({ ...BUILT_IN_HOUSE_AD, id: "house_1", active: false });
    tx.settlements.save({
      ...settlement(dayText(DAY), "settled"),
      candidates: [won],
    });
    tx.invoices.save(invoice);
    tx.archiveTasks.save(newArchiveTask({
      number: "SPOT-1",
      kind: "invoice",
      documentId: invoice.id,
      accountId: ACCOUNT,
    }, nowMs));
    tx.operatorKeys.save({
      id: "opk_1",
      hash: "",
      name: "day shift",
      scope: "read",
      accountId: ACCOUNT,
      createdAtMs: nowMs,
      goodUntilMs: nowMs + 86_400_000,
      endedAtMs: null,
      lastUsedAtMs: null,
    });
    tx.webhookEvents.save(troubledEvent("evt_1", nowMs));
  });
}

/** A partner about whom the decision can be made. */
function partnerFor(
  act: typeof DECISIONS[number],
  state: Partner["state"],
  nowMs: number,
): Partner {
  return {
    accountId: `acc_${act}`,
    state,
    terms: { version: "2026-11-23", acceptedAtMs: nowMs },
    pitch: PITCH,
    appliedAtMs: nowMs,
    decidedAtMs: null,
    reason: null,
    links: 0,
    connectedAccount: null,
  };
}

/** An account about which the decision can be made. */
function accountFor(act: typeof DECISIONS[number], nowMs: number): Account {
  const vatId = vatIdOf(act);
  const isClaim = act === "approve_vat" || act === "decline_vat";
  const account: Account = {
    ...newAccount(`acc_${act}`, `${act}@example.com`, 0),
    company: {
      name: "Bakery",
      country: "DE",
      vatId,
      address: { line1: "Street 1", city: "Berlin", postalCode: "10115" },
    },
    vatStatus: isClaim ? "unverified" : "valid",
    identityStatus: "verified",
    defaultPaymentMethodId: "pm_1",
    cardRefused: true,
    disputeOpen: true,
    blockingDisputes: ["dp_1"],
    lostDisputes: ["dp_1"],
    rename: { name: "Bakers", askedAtMs: nowMs },
    ...act === "lift_suspension" && { suspendedAtMs: nowMs },
    ...act.endsWith("_partner") && {
      partnership: {
        state: act === "end_partner" ? "approved" : "applied",
        sinceMs: nowMs,
      },
    },
  };
  if (!isClaim) return account;
  return {
    ...account,
    vatCheck: {
      vatId,
      outcome: "valid",
      atMs: nowMs,
      consultation: null,
      failures: 0,
      dueAtMs: nowMs,
    },
    vatCase: { vatId, why: "held", name: "Bakery", sinceMs: nowMs },
  };
}
