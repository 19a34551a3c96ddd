import type { Scope } from "./grant.ts";

/** What a scope lets an agent do, for somebody who never heard of scopes. */
export interface ScopeText {
  /** Begins with a verb: what the agent may do. */
  label: string;
  /** What that includes, or what it does not. */
  detail: string;
}

/** Every scope in plain words. */
export const SCOPE_TEXTS: Readonly<Record<Scope, ScopeText>> = {
  "account:read": {
    label: "See your account",
    detail: "Company name, country, settings and whether you may bid. Not " +
      "your e-mail address, VAT id or cards.",
  },
  "account:write": {
    label: "Change company details",
    detail: "Company name, address, how you are contacted, and where this " +
      "agent is told of events. Not the VAT id or your e-mail address.",
  },
  "reports:read": {
    label: "See your reports",
    detail: "Clicks on your Spotlights and what they cost.",
  },
  "bids:read": {
    label: "See your bids",
    detail: "All of them, also those you placed yourself, with their amounts.",
  },
  "bids:write": {
    label: "Place and raise bids: this spends your money",
    detail: "Within the spending limits you set below. A bid that was " +
      "accepted can’t be withdrawn, and the highest bid of the day is charged.",
  },
  "creatives:read": {
    label: "See your advertisements",
    detail: "Drafts and rejected ones included.",
  },
  "creatives:write": {
    label: "Write and submit advertisements",
    detail: "Each is reviewed by us before it can be shown.",
  },
  "invoices:read": {
    label: "See your invoices",
    detail: "They show your address, VAT id and what you paid; their PDFs " +
      "also your e-mail address.",
  },
  "billing:read": {
    label: "See your saved cards",
    detail: "Brand, last four digits and expiry; never the whole number.",
  },
  "billing:write": {
    label: "Manage your saved cards",
    detail: "Choose the card that is charged, remove cards and get a link to " +
      "your billing page with your invoices, which may outlive the connection.",
  },
  "security:read": {
    label: "See your passkeys",
    detail: "Their names and when they were used.",
  },
  "security:write": {
    label: "Remove passkeys",
    detail: "You sign in with them. The last way to sign in always stays.",
  },
  "privacy:write": {
    label: "Read all your data, and ask for the erasure of your account",
    detail: "With your e-mail address, VAT id and all amounts. You confirm " +
      "an erasure by e-mail.",
  },
  "connections:read": {
    label: "See your connected agents",
    detail: "Which agents are connected and what they may do.",
  },
  "connections:write": {
    label: "Disconnect agents",
    detail: "Any of your agents, itself included. It can’t connect one.",
  },
  "affiliate:read": {
    label: "See your partner figures",
    detail: "Referral links, totals by month and payouts.",
  },
  "affiliate:write": {
    label: "Ask for partner payouts",
    detail: "To your own connected account; and set where we report referrals.",
  },
};
