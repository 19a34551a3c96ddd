import type { Account } from "../accounts/account.ts";
import { queueSecurityMail } from "../accounts/security_mails.ts";
import { dayOf, isoMinute } from "../day.ts";
import { lastDayOf } from "../mandates/mandate_check.ts";
import type { MailContent, MailFact } from "../mail/mail_content.ts";
import { PAGES } from "../pages.ts";
import type { Services, Settings, Transaction } from "../ports.ts";
import { showEuros } from "../text/euros.ts";
import type { Grant, Line, Mandate } from "./grant.ts";
import { LINES_MAX, standingLines } from "./lines.ts";
import { SCOPE_TEXTS } from "./scope_texts.ts";

/** What a mail says of a connection. */
type Connected = Pick<Grant, "scopes" | "mandate"> & {
  client: Pick<Grant["client"], "name" | "host" | "redirectHost">;
};

/** What a consent did, as its owner is told. */
export interface AgentNews {
  /** `again`: one more installation may do what the others may. */
  what: "connected" | "changed" | "again";
  /** How many installations it has, where one more began; null for none. */
  installations: number | null;
  /** Whether one was ended for it. */
  isOneEnded: boolean;
}

/** How the mail of each begins. */
const BEGINNINGS: Readonly<
  Record<AgentNews["what"], readonly [subject: string, text: string]>
> = {
  connected: [
    "An agent was connected to your Spotlight account",
    "From now on this agent may act for your account:",
  ],
  changed: [
    "What an agent may do on Spotlight was changed",
    "From now on this agent may do for your account what stands below:",
  ],
  again: [
    "An agent was connected once more to your Spotlight account",
    "One more installation of this agent may act for your account, on another " +
    "computer or on the same one:",
  ],
};

/**
 * Tells an owner that an agent may act for the account, in one more place, or
 * may do something else than before: within which limits, and how to stop it.
 */
export function agentMail(
  to: string,
  { client, scopes, mandate }: Connected,
  { what, installations, isOneEnded }: AgentNews,
  { baseUrl }: Pick<Settings, "baseUrl">,
): MailContent<"agent_connected"> {
  const host = client.host ?? client.redirectHost;
  const [subject, beginning] = BEGINNINGS[what];
  return {
    kind: "agent_connected",
    to,
    subject,
    parts: [
      beginning,
      { quote: client.name },
      {
        facts: [
          ...host === null ? [] : [["Connected through", host]] as const,
          ...installations === null
            ? []
            : [["Installations", `${installations}, with this one`]] as const,
          ["It may", scopes.map((each) => SCOPE_TEXTS[each].label).join("; ")],
          ...spendingFacts(mandate),
        ],
      },
      ...isOneEnded ? [ONE_ENDED] : [],
      ...what === "again" ? [TOLD_DAILY] : [],
      "To stop it, disconnect it. It can do nothing any more at once; bids " +
      "that were accepted stand.",
      { button: "See your agents", url: `${baseUrl}${PAGES.agents}` },
      "If nobody of yours did this, sign out everywhere, which also " +
      "disconnects every agent.",
      { link: "Your settings", url: `${baseUrl}${PAGES.settings}` },
    ],
  };
}

const TOLD_DAILY =
  "Of more installations of it you are mailed once a day. Your agents page " +
  "says how many there are.";

const ONE_ENDED = `An agent has ${LINES_MAX} installations at most: the one ` +
  "that was not used for longest was disconnected for this one.";

/**
 * Puts the mail about a consent into its commit, unless it neither began a line
 * nor allows anything else than before. Of lines alone it is once a day, and once
 * more where one was ended: a client that is authorized each hour used up the
 * mails that tell of a passkey. The account has to have been read there.
 */
export function mailOwner(
  { settings }: Pick<Services, "settings">,
  tx: Pick<Transaction, "accounts" | "grants" | "outbox">,
  account: Account,
  { mailId, grant, standing }: {
    mailId: string;
    /** As it is saved in this commit. */
    grant: Grant;
    /** The connection before; null for a new one. */
    standing: Grant | null;
  },
  nowMs: number,
): void {
  const news = newsOf(grant, standing, nowMs);
  if (news === null) return;
  if (news.what === "again") {
    const { isOneEnded } = news;
    const day = dayOf(nowMs);
    const { lineMailed: last } = grant;
    const isTold = last?.day === day && (last.isOfEnding || !isOneEnded);
    if (isTold) return;
    tx.grants.save({ ...grant, lineMailed: { day, isOfEnding: isOneEnded } });
  }
  const content = agentMail(account.email, grant, news, settings);
  queueSecurityMail(tx, account, { mailId, content }, nowMs);
}

/** What is new since before; null for nothing. */
function newsOf(
  grant: Grant,
  standing: Grant | null,
  nowMs: number,
): AgentNews | null {
  if (standing === null) {
    return { what: "connected", installations: null, isOneEnded: false };
  }
  const isIn = ({ id }: Line, { lines }: Grant) =>
    lines.some((line) => line.id === id);
  const isBegun = grant.lines.some((line) => !isIn(line, standing));
  const isSame = isSameAllowed(standing, grant);
  if (isSame && !isBegun) return null;
  return {
    what: isSame ? "again" : "changed",
    installations: isBegun ? grant.lines.length : null,
    isOneEnded: standingLines(standing, nowMs)
      .some((line) => !isIn(line, grant)),
  };
}

function spendingFacts(mandate: Mandate | null): MailFact[] {
  if (mandate === null) return [["Spending", "It can't bid"]];
  const { maxBidCents, dailyCapCents, totalCapCents, validUntilMs } = mandate;
  const lastDay = lastDayOf(mandate);
  return [
    ["Most for a bid", showEuros(maxBidCents)],
    ["Most for the bids of a day", showEuros(dailyCapCents)],
    ...totalCapCents === undefined
      ? []
      : [["Most in all", showEuros(totalCapCents)]] as const,
    lastDay === null
      ? ["Until", isoMinute(validUntilMs)]
      : ["Through", `${lastDay}, to the end of the day in UTC`],
  ];
}

/** Whether a consent allows just what was allowed before. */
function isSameAllowed(
  before: Pick<Grant, "scopes" | "mandate">,
  now: Pick<Grant, "scopes" | "mandate">,
): boolean {
  const textOf = ({ scopes, mandate }: Pick<Grant, "scopes" | "mandate">) =>
    JSON.stringify([
      scopes.toSorted(),
      mandate?.maxBidCents,
      mandate?.dailyCapCents,
      mandate?.totalCapCents,
      mandate?.validUntilMs,
    ]);
  return textOf(before) === textOf(now);
}
