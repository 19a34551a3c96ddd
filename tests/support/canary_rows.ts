/**
 * Rows of an account that no verb of a test's world writes: one of each family
 * that says it holds something of a person and would else be empty.
 *
 * @module
 */
import { DAY_MS, dayOf } from "../../domain/day.ts";
import { monthOf } from "../../domain/month.ts";
import type { MetricsPayment } from "../../domain/paid_metrics/metrics_payment.ts";
import { beginCharge } from "../../domain/paid_metrics/charge.ts";
import { emptyBalance } from "../../domain/partners/partner_balance.ts";
import { newPayout } from "../../domain/partners/payout.ts";
import type { Families, Services } from "../../domain/ports.ts";
import { newWebhookEvent } from "../../domain/webhooks/webhook_event.ts";

/** Whose rows they are, and when they are written. */
export interface CanaryOwner {
  accountId: string;
  grantId: string;
  bidId: string;
  invoiceId: string;
  paymentId: string;
  nowMs: number;
}

type Rows = {
  readonly [F in keyof Families]?: (of: CanaryOwner) => Families[F]["value"];
};

const SHORTLY_MS = 600_000;

const OF_SIGNING_IN: Rows = {
  alerts: ({ accountId, nowMs }) => ({
    name: `erasure_stuck:${accountId}`,
    trouble: { kind: "erasure_stuck", subject: accountId },
    sinceMs: nowMs,
    seenMs: nowMs,
  }),
  operatorKeys: ({ accountId, nowMs }) => ({
    id: "opk_1",
    hash: "0".repeat(64),
    name: "desk",
    scope: "read",
    accountId,
    createdAtMs: nowMs,
    goodUntilMs: nowMs + DAY_MS,
    endedAtMs: null,
    lastUsedAtMs: null,
  }),
  passkeyChallenges: ({ nowMs }) => ({
    hash: "1".repeat(64),
    purpose: "register",
    browserHash: "2".repeat(64),
    expiresAtMs: nowMs + SHORTLY_MS,
  }),
  signInChallenges: ({ nowMs }) => ({
    hash: "3".repeat(64),
    email: "canary-person@example.com",
    codeMac: "mac",
    keyId: "key",
    next: "/account",
    triesLeft: 5,
    createdAtMs: nowMs,
    expiresAtMs: nowMs + SHORTLY_MS,
  }),
  contestedVatIds: ({ nowMs }) => ({ vatId: "hmac:2", sinceMs: nowMs }),
};

const OF_AGENTS: Rows = {
  authorizationRequests: ({ nowMs }) => ({
    id: "areq_1",
    client: {
      id: "dcr_1",
      name: "An agent",
      host: null,
      authentication: { method: "none" },
    },
    redirectUri: "http://127.0.0.1:10000/callback",
    state: "canary-state",
    outcome: {
      kind: "valid",
      asked: {
        scopes: ["account:read"],
        resources: ["agent"],
        codeChallenge: "c".repeat(43),
      },
    },
    sessionHash: null,
    createdAtMs: nowMs,
    expiresAtMs: nowMs + SHORTLY_MS,
  }),
  authorizationCodes: ({ grantId, nowMs }) => ({
    hash: "4".repeat(64),
    grantId,
    clientId: "dcr_1",
    redirectUri: "http://127.0.0.1:10000/callback",
    codeChallenge: "c".repeat(43),
    createdAtMs: nowMs,
    goodUntilMs: nowMs + 60_000,
    expiresAtMs: nowMs + 30 * DAY_MS,
  }),
  mandateUses: ({ grantId, nowMs }) => ({
    grantId,
    day: dayOf(nowMs),
    usedCents: 5_000,
    expiresAtMs: nowMs + 2 * DAY_MS,
  }),
};

const OF_MONEY: Rows = {
  bidEvents: ({ accountId, bidId, nowMs }) => ({
    bidId,
    day: dayOf(nowMs),
    accountId,
    kind: "placed",
    adId: "ad_7",
    amountCents: 4_321,
    atMs: nowMs,
    grantId: null,
  }),
  cardRemovals: ({ accountId, nowMs }) => ({
    paymentMethodId: "pm_canary",
    accountId,
    origin: "user",
    state: "done",
    binding: null,
    dueAtMs: nowMs,
    failures: 0,
    expiresAtMs: nowMs + 7 * DAY_MS,
  }),
  disputes: ({ accountId, invoiceId, paymentId, nowMs }) => ({
    id: "dp_1",
    state: "won",
    amountCents: 6_789,
    paymentId,
    accountId,
    invoiceId,
    reason: "fraudulent",
    openedAtMs: nowMs - DAY_MS,
    evidenceDueAtMs: nowMs,
    movementIds: [],
    moves: 0,
    heldCents: 0,
    lostCents: 0,
    dueCents: 0,
  }),
  metricsPayments: ({ nowMs }): MetricsPayment =>
    beginCharge(null, {
      id: "purchase_1",
      channel: "http_payment",
      day: dayOf(nowMs),
      token: "token",
      keyHash: null,
    }, nowMs),
  webhookEvents: ({ paymentId, nowMs }) => ({
    ...newWebhookEvent({
      id: "evt_1",
      type: "payment_intent.succeeded",
      objectId: paymentId,
      objectType: "payment_intent",
      createdAtMs: nowMs,
      livemode: false,
      ofConnectedAccount: false,
    }, nowMs),
    state: "done",
    expiresAtMs: nowMs + 30 * DAY_MS,
  }),
};

const OF_PARTNERS: Rows = {
  commissions: ({ accountId, invoiceId, paymentId, nowMs }) => ({
    invoiceId,
    partnerId: accountId,
    accountId: "acc_referred",
    paymentId,
    amountCents: 500,
    month: monthOf(nowMs),
    countedIn: monthOf(nowMs),
    createdAtMs: nowMs,
    changes: 1,
  }),
  partnerBalances: ({ accountId, nowMs }) => ({
    ...emptyBalance(accountId),
    paidCents: 7_531,
    releasedThrough: monthOf(nowMs),
    statements: 1,
  }),
  statements: ({ accountId, nowMs }) => ({
    partnerId: accountId,
    number: 1,
    fromMonth: monthOf(nowMs),
    throughMonth: monthOf(nowMs),
    amountCents: 7_531,
    takenBackCents: 97,
    invoices: 3,
    releasedAtMs: nowMs,
  }),
  payouts: ({ accountId, nowMs }) => ({
    ...newPayout({
      id: "po_1",
      partnerId: accountId,
      amountCents: 7_531,
      throughMonth: monthOf(nowMs),
      afterMonth: null,
      requestedAtMs: nowMs,
      destination: "acct_canary",
      dueAtMs: nowMs,
    }),
    state: "paid",
    transferId: "tr_1",
    paidAtMs: nowMs + 1_000,
  }),
};

const ROWS: Rows = {
  ...OF_SIGNING_IN,
  ...OF_AGENTS,
  ...OF_MONEY,
  ...OF_PARTNERS,
};

/** Writes the row of each of these families. */
export async function saveCanaryRows(
  { store }: Pick<Services, "store">,
  of: CanaryOwner,
): Promise<void> {
  for (const [family, rowOf] of Object.entries(ROWS)) {
    await store.transact((tx) => {
      const table = tx[family as keyof Families] as unknown as {
        save(value: unknown): void;
      };
      table.save((rowOf as (of: CanaryOwner) => unknown)(of));
    });
  }
}
