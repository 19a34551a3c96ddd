import type { Account } from "../accounts/account.ts";
import { queueSecurityMail } from "../accounts/security_mails.ts";
import { isoMinute } from "../day.ts";
import { lastDayOf } from "../mandates/mandate_check.ts";
import type { MailContent, MailFact } from "../mail/mail_content.ts";
import { PAGES } from "../pages.ts";
import type { Services, Settings, Transaction } from "../ports.ts";
import { showEuros } from "../text/euros.ts";
import type { Grant, Mandate } from "./grant.ts";
import { SCOPE_TEXTS } from "./scope_texts.ts";

/** What a mail says of a connection. */
type Connected = Pick<Grant, "scopes" | "mandate"> & {
  client: Pick<Grant["client"], "name" | "host" | "redirectHost">;
};

/**
 * Tells an owner that an agent may act for the account, or may do something else
 * than before: within which limits, and how to stop it.
 */
export function agentMail(
  to: string,
  { client, scopes, mandate }: Connected,
  isNew: boolean,
  { baseUrl }: Pick<Settings, "baseUrl">,
): MailContent<"agent_connected"> {
  const host = client.host ?? client.redirectHost;
  return {
    kind: "agent_connected",
    to,
    subject: isNew
      ? "An agent was connected to your Spotlight account"
      : "What an agent may do on Spotlight was changed",
    parts: [
      isNew
        ? "From now on this agent may act for your account:"
        : "From now on this agent may do for your account what stands below:",
      { quote: client.name },
      {
        facts: [
          ...host === null ? [] : [["Connected through", host]] as const,
          ["It may", scopes.map((each) => SCOPE_TEXTS[each].label).join("; ")],
          ...spendingFacts(mandate),
        ],
      },
      "To stop it, disconnect it. It can do nothing any more at once; bids " +
      "that were accepted stand.",
      { button: "See your agents", url: `${baseUrl}${PAGES.agents}` },
      "If nobody of yours did this, sign out everywhere, which also " +
      "disconnects every agent.",
      { link: "Your settings", url: `${baseUrl}${PAGES.settings}` },
    ],
  };
}

/**
 * Puts the mail about a consent into its commit, unless it allows just what it
 * did before. The account has to have been read there.
 */
export function mailOwner(
  { settings }: Pick<Services, "settings">,
  tx: Pick<Transaction, "accounts" | "outbox">,
  account: Account,
  { mailId, grant, standing }: {
    mailId: string;
    grant: Grant;
    /** The connection before; null for a new one. */
    standing: Grant | null;
  },
  nowMs: number,
): void {
  if (standing !== null && isSameAllowed(standing, grant)) return;
  const isNew = standing === null;
  const content = agentMail(account.email, grant, isNew, settings);
  queueSecurityMail(tx, account, { mailId, content }, nowMs);
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
