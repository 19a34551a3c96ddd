import type { Bid } from "../../../domain/bids/bid.ts";
import type {
  GrantOverview,
  MandateOverview,
} from "../../../domain/oauth/list_grants.ts";
import type {
  Grant,
  Line,
  LineEndedReason,
  RevokedReason,
  Scope,
} from "../../../domain/oauth/grant.ts";
import { isWriteScope } from "../../scope_texts.ts";
import { SCOPE_TEXTS } from "../../../domain/oauth/scope_texts.ts";

/** Revoked and ended connections that are still shown. */
const HISTORY_MAX = 20;

/** A connection as the page shows it. */
export interface AgentView {
  grantId: string;
  name: string;
  /** What vouches for the name; null when nothing does. */
  host: string | null;
  /** Where its code was sent; null where no browser approved it. */
  redirectHost: string | null;
  /** In plain words. */
  sees: readonly string[];
  changes: readonly string[];
  mandate:
    | {
      maxBidCents: number;
      dailyCapCents: number;
      validUntilMs: number;
    } & MandateOverview
    | null;
  createdAtMs: number;
  lastUsedAtMs: number | null;
  /** More than the one that it was connected with; null for that alone. */
  installations: { count: number; lastAtMs: number } | null;
  /** When one was last ended for another; null for never, or something since. */
  oneEndedAtMs: number | null;
  liveBids: readonly Bid[];
  /** Whether another one has the same name. */
  isNamesake: boolean;
}

/** A connection that is over. */
export interface PastAgentView {
  name: string;
  host: string | null;
  /** Why and when it ended, as a sentence without its end. */
  ending:
    | "revoked"
    | "stopped for safety"
    | "given back"
    | "run out"
    | "joined with a later connection";
  endedAtMs: number | null;
}

/** Everything that the agents page shows. */
export interface AgentsView {
  connected: readonly AgentView[];
  past: readonly PastAgentView[];
  /** Live bids of agents that are not connected any more, and one's own. */
  otherBids: readonly { bid: Bid; by: string }[];
}

/** Whether its client acts for the account, or may. */
export function isConnected({ state }: GrantOverview): boolean {
  return state === "live" || state === "unused";
}

/** Makes the page's view of grants and live bids. */
export function agentsView(
  overviews: readonly GrantOverview[],
  liveBids: readonly Bid[],
): AgentsView {
  const connected = overviews.filter(isConnected);
  const past = overviews.filter((overview) => !isConnected(overview));
  // A grant that was merged goes on under the other one.
  const presentIds = new Map(
    overviews.map(({ grant }) => [grant.id, grant.mergedInto ?? grant.id]),
  );
  const presentOf = ({ grantId }: Bid) => presentIds.get(grantId ?? "") ?? null;
  const bidsOf = (grantId: string) =>
    liveBids.filter((bid) => presentOf(bid) === grantId);
  const connectedIds = new Set<string | null>(
    connected.map(({ grant }) => grant.id),
  );
  const names = new Map(
    overviews.map(({ grant }) => [grant.id, grant.client.name]),
  );
  const namesakes = (name: string) =>
    connected.filter(({ grant: { client } }) => client.name === name);
  return {
    connected: connected.map((each) => ({
      ...viewOf(each, bidsOf(each.grant.id)),
      isNamesake: namesakes(each.grant.client.name).length > 1,
    })),
    past: past.slice(0, HISTORY_MAX).map(pastOf),
    otherBids: liveBids
      .filter((bid) => !connectedIds.has(presentOf(bid)))
      .map((bid) => ({
        bid,
        by: bid.grantId === null
          ? "you"
          : names.get(bid.grantId) ?? "a former agent",
      })),
  };
}

function viewOf(
  { grant, mandateUse, lines }: GrantOverview,
  liveBids: readonly Bid[],
): Omit<AgentView, "isNamesake"> {
  const { mandate, client, scopes } = grant;
  const labels = (wanted: readonly Scope[]) =>
    wanted.map((scope) => SCOPE_TEXTS[scope].label);
  return {
    grantId: grant.id,
    name: client.name,
    host: client.host,
    redirectHost: client.redirectHost,
    sees: labels(scopes.filter((scope) => !isWriteScope(scope))),
    changes: labels(scopes.filter(isWriteScope)),
    mandate: mandate && mandateUse && { ...mandate, ...mandateUse },
    createdAtMs: grant.createdAtMs,
    lastUsedAtMs: grant.lastUsedAtMs,
    installations: installationsOf(grant, lines),
    oneEndedAtMs: grant.lastEnding?.reason === "too_many"
      ? grant.lastEnding.atMs
      : null,
    liveBids,
  };
}

/** The line that it was connected with has the id of its grant. */
function installationsOf(
  { id }: Pick<Grant, "id">,
  lines: readonly Line[],
): AgentView["installations"] {
  if (lines.every((line) => line.id === id)) return null;
  const lastAtMs = Math.max(...lines.map(({ begunAtMs }) => begunAtMs));
  return { count: lines.length, lastAtMs };
}

function pastOf({ grant }: GrantOverview): PastAgentView {
  const { client: { name, host }, lines, mandate, lastEnding, revokedAtMs } =
    grant;
  const ends = lines.flatMap(({ refresh }) => refresh?.endsAtMs ?? []);
  const reason = grant.revokedReason ??
    (ends.length === 0 ? lastEnding?.reason : null);
  return {
    name,
    host,
    ending: endingOf(reason ?? null),
    endedAtMs: revokedAtMs ??
      (ends.length === 0
        ? lastEnding?.atMs ?? null
        // A mandate that was brought forward ends before its tokens.
        : Math.min(Math.max(...ends), mandate?.validUntilMs ?? Infinity)),
  };
}

function endingOf(
  reason: RevokedReason | LineEndedReason | null,
): PastAgentView["ending"] {
  switch (reason) {
    case null:
    case "too_many":
      return "run out";
    case "user":
    case "account":
      return "revoked";
    case "merged":
      return "joined with a later connection";
    case "client":
      return "given back";
    case "code_replay":
    case "refresh_reuse":
      return "stopped for safety";
  }
}
