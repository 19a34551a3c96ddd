/**
 * One mail of every kind, made by the functions that make the real ones of what
 * might be real.
 *
 * @module
 */
import type { AccountEvent } from "../../domain/accounts/account_note.ts";
import { decisionMail } from "../../domain/accounts/decision_mails.ts";
import { shownWindow } from "../../domain/auction/auction.ts";
import { alertMail, dailyMail } from "../../domain/alerts/alert_mails.ts";
import { bidMail } from "../../domain/bidding/bid_mail.ts";
import { offMail } from "../../domain/callbacks/off_mail.ts";
import { expiryMail } from "../../domain/cards/warn_of_expiry.ts";
import {
  approvedMail,
  rejectedMail,
  withdrawnMail,
} from "../../domain/creatives/review_mails.ts";
import { dayOf } from "../../domain/day.ts";
import { disputeMail } from "../../domain/disputes/dispute_mails.ts";
import { refundMail } from "../../domain/invoices/refund_mail.ts";
import type { MailContent } from "../../domain/mail/mail_content.ts";
import type { MailKind } from "../../domain/mail/mail_kinds.ts";
import { agentMail } from "../../domain/oauth/agent_mail.ts";
import { reuseMail } from "../../domain/oauth/refresh_tokens.ts";
import { PAGES } from "../../domain/pages.ts";
import {
  passkeyAddedMail,
  passkeyRemovedMail,
} from "../../domain/passkeys/passkey_mails.ts";
import {
  erasureAskedMail,
  erasureConfirmedMail,
} from "../../domain/privacy/erasure_mails.ts";
import { exportReadyMail } from "../../domain/privacy/privacy_mails.ts";
import type { Settings } from "../../domain/ports.ts";
import {
  lostMail,
  paymentFailedMail,
  voidMail,
  wonMail,
} from "../../domain/settlement/bid_mails.ts";
import { removalMail } from "../../domain/spotlights/removal_mail.ts";
import {
  emailChangedMail,
  emailChangeMail,
} from "../../domain/sign_in/email_change_mails.ts";
import { signInMail } from "../../domain/sign_in/request_code.ts";

/** Whom the samples are to. */
const TO = "ada@example.com";
const DAY = dayOf(Date.UTC(2026, 10, 22));
/** Long and of several scripts, as real ones are. */
const CREATIVE = {
  adId: "ad_5Tq8ZcW2LmN0PxYbV1Ra",
  headline: "Brötchen & <fresh> bread, baked tonight – خبز طازج",
};
const REJECTION = {
  policyId: "deceptive",
  message: "“The best bread in Europe” is a claim that nobody can check.",
  remedy: "Say what the bread is made of instead.",
} as const;
const AGENT = 'Claude "for ads"';
const CARD = {
  brand: "visa",
  last4: "4242",
  expMonth: 12,
  expYear: 2026,
};
const CONNECTED = {
  client: { name: AGENT, host: "claude.ai", redirectHost: "claude.ai" },
  scopes: ["account:read", "bids:read", "bids:write"],
  mandate: {
    maxBidCents: 10_000,
    dailyCapCents: 20_000,
    totalCapCents: 250_000,
    validUntilMs: Date.UTC(2027, 0, 31, 23, 59),
  },
} as const;
const NEW_AGENT = {
  what: "connected",
  installations: null,
  isOneEnded: false,
} as const;
const INVOICE = { number: "SPOT-000042", day: DAY };

type Samples = { [K in MailKind]: MailContent<K> };

function erasureSamples(settings: Settings) {
  const mailed = { to: TO, url: `${settings.baseUrl}/erasure/keep~acc_7Q~era` };
  const eraseAtMs = Date.UTC(2026, 10, 29, 10);
  const asked = { grantId: null, confirmUntilMs: eraseAtMs };
  return {
    erasure_asked: erasureAskedMail(settings, mailed, asked),
    erasure_confirmed: erasureConfirmedMail(mailed, { eraseAtMs }),
  };
}

/** A sample of every kind, in the order of the table of kinds. */
export function mailSamples(settings: Settings): Samples {
  const { baseUrl } = settings;
  const account = { email: TO };
  const owner = { to: TO, wayOut: null };
  return {
    sign_in: signInMail(TO, "12345678", baseUrl),
    email_change: emailChangeMail(settings, {
      to: TO,
      code: "12345678",
      isNew: false,
    }),
    email_changed: emailChangedMail(settings, { to: TO, isNew: true }),
    passkey_added: passkeyAddedMail(TO, "Ada's laptop", baseUrl),
    passkey_removed: passkeyRemovedMail(TO, "Ada's laptop", baseUrl),
    token_reused: reuseMail(TO, AGENT, baseUrl),
    webhook_off: offMail(TO, AGENT, {
      off: "failing",
      agentsUrl: `${baseUrl}${PAGES.agents}`,
    }),
    creative_approved: approvedMail(owner, CREATIVE, baseUrl),
    creative_rejected: rejectedMail(owner, CREATIVE, REJECTION, baseUrl),
    approval_withdrawn: withdrawnMail(owner, CREATIVE, REJECTION, baseUrl),
    bid_stands: bidMail(
      settings,
      { account, creative: CREATIVE, grant: { client: { name: AGENT } } },
      { day: DAY, amountCents: 125_000 },
    ),
    ...endedSamples(settings),
    ...disputeSamples(settings),
    spotlight_removed: removalMail(TO, {
      day: DAY,
      headline: CREATIVE.headline,
      reason: "A court has forbidden the claim that it makes.",
      shown: shownWindow(DAY, settings.auctionHours),
    }, settings),
    ...decisionSamples(settings),
    ...erasureSamples(settings),
    export_ready: exportReadyMail(settings, TO, {
      grantId: null,
      expiresAtMs: Date.UTC(2026, 10, 29),
    }),
    operator_alert: alertMail(settings, TO, {
      begun: [{ kind: "settlement_late", subject: DAY }],
      over: [{ kind: "review_waits", subject: "" }],
    }),
    operator_daily: dailyMail(settings, TO, {
      day: DAY,
      outcome: "sold",
      auction: [["Bids", "12"], ["Passed over", "1"]],
      money: [["processor_clearing", "EUR 1,250.00"]],
      waiting: [["Ads to review", "2"]],
      troubles: [{ kind: "books_differ", subject: DAY }],
    }),
    agent_connected: agentMail(TO, CONNECTED, NEW_AGENT, settings),
    card_expiry: expiryMail(TO, CARD, baseUrl),
  };
}

type EndedKind =
  | "bid_won"
  | "bid_lost"
  | "bid_payment_failed"
  | "bid_void"
  | "money_refunded";

function endedSamples(settings: Settings): Pick<Samples, EndedKind> {
  const shown = shownWindow(DAY, settings.auctionHours);
  const ended = { to: TO, bid: { day: DAY, amountCents: 125_000 }, shown };
  const settledMs = shown.fromMs + 20_000;
  const refused = { card: CARD };
  const { headline } = CREATIVE;
  const paid = {
    ...INVOICE,
    totalCents: 125_000,
    refunds: [],
    creditNotes: [],
    refundReason: "operator",
    wasSold: true,
  } as const;
  const refunded = {
    ...paid,
    refunds: [{ id: "re_1", amountCents: 125_000 }],
    creditNotes: [{
      id: "cn_1",
      number: "SPOT-000042-CN-01",
      totalCents: 125_000,
      taxCents: 0,
      createdAtMs: settledMs,
    }],
  };
  return {
    bid_won: wonMail(
      settings,
      { to: TO, headline, shown, invoice: paid },
      settledMs,
    ),
    bid_lost: lostMail(settings, ended, settledMs),
    bid_payment_failed: paymentFailedMail(settings, ended, refused, settledMs),
    bid_void: voidMail(settings, ended, "the creative is rejected"),
    money_refunded: refundMail(
      TO,
      { before: paid, after: refunded, shown },
      settings,
    ),
  };
}

type DisputeKind = "dispute_opened" | "dispute_lost" | "dispute_over";

function disputeSamples(settings: Settings): Pick<Samples, DisputeKind> {
  const invoice = {
    ...INVOICE,
    shown: shownWindow(DAY, settings.auctionHours),
  };
  const sample = <K extends DisputeKind>(
    kind: K,
    way: Parameters<typeof disputeMail>[0],
  ) => ({ ...disputeMail(way, TO, invoice, settings), kind }) as MailContent<K>;
  const unseen = { state: "unseen", lostCents: 0 } as const;
  const open = { state: "open", lostCents: 0 } as const;
  const won = { state: "won", lostCents: 0 } as const;
  const lost = { state: "lost", lostCents: 125_000 } as const;
  return {
    dispute_opened: sample("dispute_opened", { from: unseen, to: open }),
    dispute_lost: sample("dispute_lost", { from: open, to: lost }),
    dispute_over: sample("dispute_over", { from: open, to: won }),
  };
}

function decisionSamples(settings: Settings): Pick<Samples, AccountEvent> {
  const account = { email: TO, disputeOpen: false };
  const reason = "We compared your details with the company register.";
  const sample = <K extends AccountEvent>(event: K, about?: string) =>
    decisionMail(
      {
        event,
        account,
        reason,
        hasLiveBids: true,
        ...about !== undefined && { about },
      },
      settings,
    ) as MailContent<K>;
  return {
    suspended: sample("suspended"),
    suspension_lifted: sample("suspension_lifted"),
    block_lifted: sample("block_lifted"),
    refusal_lifted: sample("refusal_lifted"),
    rename_approved: sample("rename_approved", "Ada & Söhne GmbH"),
    rename_refused: sample("rename_refused", "Ada & Söhne GmbH"),
    vat_approved: sample("vat_approved", "DE123456789"),
    vat_declined: sample("vat_declined", "DE123456789"),
    vat_released: sample("vat_released", "DE123456789"),
    partner_approved: sample("partner_approved"),
    partner_refused: sample("partner_refused"),
    partner_ended: sample("partner_ended"),
  };
}
