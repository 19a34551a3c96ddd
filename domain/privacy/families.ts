/**
 * What each family of records holds of a person, whether a copy of one's data
 * has it, what an erasure does with it, and how long it is kept. A family that is
 * added needs an answer before anything compiles; the tests hold each of them.
 *
 * @module
 */
import type { Families } from "../ports.ts";
import type { ExportSection } from "./export_document.ts";

/**
 * How long rows are kept. `account`: until the account is erased. `books`: 10
 * years at least, whoever erases what. `expires`: each says until when. `work`:
 * until it is done. `service`: as long as the service.
 */
export type Life = "account" | "books" | "expires" | "service" | "work";

/**
 * What an erasure does. `emptied`: what names somebody goes, the row stays.
 * `kept`: as it is, for the reason beside it. `expires`: it goes by itself soon.
 */
export type ErasedAs = "erased" | "emptied" | "kept" | "expires";

/** The answer of a family. */
export type FamilyAnswer =
  /** Nothing of a person with an account. */
  | { holds: "nothing"; life: Life }
  | {
    /** What of a person or an account. */
    holds: string;
    /** The part of a copy; null where it says nothing beyond the others. */
    copy: ExportSection | null;
    erasure: ErasedAs;
    life: Life;
    /** Why it stays, or is in no copy. */
    why?: string;
  };

type Own = Extract<FamilyAnswer, { copy: unknown }>;

const nothing = (life: Life): FamilyAnswer => ({ holds: "nothing", life });

const own = (
  holds: string,
  copy: ExportSection,
  life: Life = "account",
): Own => ({ holds, copy, erasure: "erased", life });

/** Of the account, but nothing that its owner does not read elsewhere. */
const inner = (holds: string, why: string): Own => ({
  holds,
  copy: null,
  erasure: "erased",
  life: "account",
  why,
});

const brief = (holds: string, why: string): Own => ({
  holds,
  copy: null,
  erasure: "expires",
  life: "expires",
  why,
});

const books = (holds: string, copy: ExportSection | null): Own => ({
  holds,
  copy,
  erasure: "kept",
  life: "books",
  why: "accounting law",
});

/** Found by the rows of another family, with which they go. */
const INDEX = "finds rows of another family, with which it goes";

/** Every family. */
export const FAMILY_ANSWERS: { readonly [F in keyof Families]: FamilyAnswer } =
  {
    accounts: own("e-mail address, company, standing", "account"),
    accountEmails: inner("e-mail address", INDEX),
    accountNotes: own("what operators decided", "account"),
    vatHolders: inner("VAT id", INDEX),
    contestedVatIds: {
      holds: "a keyed hash of a VAT id",
      copy: null,
      erasure: "kept",
      life: "service",
      why:
        "keeps a company's id from others, or from who was blocked or may take money back; the id is not kept",
    },
    alerts: {
      holds: "the id of an account whose erasure does not end",
      copy: null,
      erasure: "expires",
      life: "work",
      why: "operators are told of it, and it goes once the erasure has ended",
    },
    operatorKeys: {
      holds: "which operator's account made a key",
      copy: null,
      erasure: "kept",
      life: "service",
      why: "who could act, and until when, stays for the audit",
    },
    operatorActs: {
      holds: "what operators did, and why",
      copy: null,
      erasure: "emptied",
      life: "books",
      why:
        "who did what, and when, stays for the audit; the copy has the reasons",
    },
    customerTasks: inner("that the processor is told", "no data of its own"),
    paymentMethods: own("brand, last four digits, expiry", "cards"),
    wallets: inner("when cards were looked at", "counts and moments only"),
    cardRemovals: brief("a removed card's id", "its card is in the copy"),
    identityChecks: own("how checks of identity ended", "identity"),
    grants: own("agents and what they may do", "agents"),
    connections: inner("which agent is connected", INDEX),
    clients: nothing("service"),
    fetchedDocuments: nothing("expires"),
    authorizationRequests: brief("a browser's stay", "ten minutes"),
    authorizationCodes: brief("a grant's id", "hashes and ids only"),
    usedAssertions: nothing("expires"),
    mandateUses: brief("cents of a day", "they are in the bids"),
    creatives: own("advertisements", "ads"),
    creativeOwners: inner("whose an advertisement is", INDEX),
    creativeShelves: inner("how many there are", "counts only"),
    creativeNotes: own("their history", "ads"),
    adReports: nothing("expires"),
    reportTallies: nothing("service"),
    houseAds: nothing("service"),
    houseRotation: nothing("service"),
    auctions: nothing("service"),
    calendar: nothing("service"),
    toldTimes: nothing("service"),
    bids: {
      ...own("bids", "bids"),
      why: "a bid with an invoice stays with the books, its card does not",
    },
    bidPlaces: inner("whose a bid is", INDEX),
    bidEvents: own("every amount of a bid", "bids"),
    clickBooks: nothing("service"),
    clickBookings: nothing("expires"),
    clickVisitors: nothing("expires"),
    clickSalts: nothing("expires"),
    settlements: {
      holds: "ad, amount, card and name of the best bids",
      copy: null,
      erasure: "emptied",
      life: "books",
      why:
        "ranks and steps stay under ids, amounts with an invoice; the copy has the bids",
    },
    spotlights: {
      holds: "the published ad and name",
      copy: "spotlights",
      erasure: "emptied",
      life: "books",
      why: "published: a company's name stays, any other goes",
    },
    idempotency: brief(
      "answers to agents",
      "the same as elsewhere in the copy",
    ),
    sandboxJobs: nothing("expires"),
    rehearsals: nothing("expires"),
    invoices: {
      ...books("invoices", "invoices"),
      erasure: "emptied",
      why: "accounting law; what an operator wrote of a refund goes",
    },
    refundRequests: nothing("expires"),
    invoiceNumbers: books("whose an invoice is", null),
    paymentInvoices: books("whose a payment is", null),
    archiveTasks: books("the documents of invoices", "invoices"),
    disputes: books("disputed payments", "disputes"),
    reconciliations: nothing("books"),
    monthBalances: nothing("service"),
    reconciliationProgress: nothing("service"),
    ledger: books("payments, by number", null),
    metricsPayments: books("a purchase of figures, by nobody's name", null),
    checkoutSessions: books("an agent's purchase of figures", "checkouts"),
    webhookEvents: brief("the processor's ids", "what it said is not kept"),
    accountEvents: own("what agents were told of", "events", "expires"),
    eventLogs: inner("how far they were told", "a counter"),
    callbacks: own("where agents are told", "agents"),
    dayNotices: nothing("work"),
    dataRequests: own("copies and erasures asked for", "data_requests", "work"),
    erasedAccounts: {
      holds: "the id of an erased account",
      copy: null,
      erasure: "kept",
      life: "service",
      why: "so that an older backup does not bring it back",
    },
    mailSuppressions: {
      holds: "which mails an erased account's address wanted none of",
      copy: null,
      erasure: "kept",
      life: "service",
      why: "so that they stay off; the address is kept as a keyed hash alone",
    },
    exportParts: {
      ...inner("a copy's document", "it is the copy"),
      life: "expires",
    },
    jobRuns: nothing("service"),
    holds: nothing("service"),
    partners: own("an application to be a partner", "partner"),
    referralLinks: own("a partner's links", "partner"),
    commissions: {
      ...books("what an invoice brought a partner", null),
      why:
        "accounting law; single amounts are the advertiser's, who bid sealed",
    },
    partnerBalances: {
      ...books("what a partner earned", null),
      why: "accounting law; the copy has the months that a partner is told of",
    },
    statements: books("a partner's months", "partner"),
    payouts: books("a partner's payouts", "partner"),
    outbox: own("mails of the last week", "mails", "expires"),
    sessions: own("signed-in browsers", "sign_in", "expires"),
    credentials: own("passkeys", "sign_in"),
    passkeyOwners: inner("whose a passkey is", INDEX),
    passkeyChallenges: brief("a browser's stay", "five minutes"),
    signInChallenges: brief("an e-mail address", "ten minutes"),
  };
