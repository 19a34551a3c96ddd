import { sha256Hex } from "../sha256.ts";
import { queueSecurityMail } from "../accounts/security_mails.ts";
import type { Mail } from "../mail/outbox_mail.ts";
import { mandateEnded } from "../mandates/mandate_check.ts";
import { PAGES } from "../pages.ts";
import type { Services, Transaction } from "../ports.ts";
import { type Extent, newAccessToken } from "./access_token.ts";
import type { Grant, RefreshLine, Scope } from "./grant.ts";
import { type IssuedTokens, issuedTokens } from "./issue_tokens.ts";
import {
  moveOn,
  placeInLine,
  repeatSuccessor,
  type ShownToken,
} from "./refresh_line.ts";
import { readRefreshToken } from "./refresh_token.ts";
import { refuseGrant, refuseOauth, refuseTarget } from "./refuse_oauth.ts";
import type { Resource } from "./resource.ts";
import { revokeIn } from "./revoke_grant.ts";
import { isSubset } from "./scope_list.ts";

/** What a client shows, and how much it wants of what was granted. */
export interface RefreshTokens {
  refreshToken: string;
  clientId: string;
  /** Null for all that was granted. */
  scopes: readonly Scope[] | null;
  resources: readonly Resource[] | null;
}

/** The grant of a refresh token, which has been exchanged for a code. */
type LiveGrant = Grant & { refresh: RefreshLine };

/**
 * Gives an access token and moves the grant's line of refresh tokens on. The
 * token just used may be shown for 30 s more and gets the same successor; any
 * other used one means that it was stolen: the grant ends and its user gets a
 * mail (OAuth 2.1 §4.3.1). Narrowing applies to the access token alone.
 *
 * @throws {Refused} `oauth_error`: `invalid_grant`, `invalid_scope`,
 * `invalid_target`; the last two use nothing up
 */
export async function refreshTokens(
  services: Services,
  input: RefreshTokens,
): Promise<IssuedTokens> {
  const { clock, ids, log, store } = services;
  const { refreshToken: text, clientId } = input;
  const parts = readRefreshToken(text);
  if (parts === null) refuseGrant();
  const token = { ...parts, text, hash: sha256Hex(text) };
  const accessSecret = ids.secret();
  let mailId: string | undefined;
  const outcome = await store.transact(async (tx) => {
    const nowMs = clock.now();
    const grant = await tx.grants.find(token.grantId);
    if (!isUsable(grant, clientId, nowMs)) return null;
    const place = placeInLine(grant.refresh, token, nowMs);
    if (place === "none") return null;
    if (place === "reused") {
      mailId ??= ids.next("mail");
      await endGrant(services, tx, grant, mailId, nowMs);
      return "reused";
    }
    const narrowing = narrow(grant, input);
    const wanted = { ...narrowing, token, place, accessSecret, nowMs };
    return issue(services, tx, grant, wanted);
  });
  if (outcome === "reused") log.error("refresh_token_reused");
  return outcome === null || outcome === "reused" ? refuseGrant() : outcome;
}

function isUsable(
  grant: Grant | null,
  clientId: string,
  nowMs: number,
): grant is LiveGrant {
  return grant !== null && grant.clientId === clientId &&
    grant.revokedAtMs === null &&
    grant.refresh !== null &&
    !mandateEnded(grant.mandate, nowMs);
}

/** What is to be issued, and where the token that was shown stands. */
interface Issue extends Extent {
  token: ShownToken;
  place: "current" | "grace";
  accessSecret: string;
  nowMs: number;
}

/** Null when the successor can't be told any more. */
function issue(
  { keys }: Services,
  tx: Transaction,
  grant: LiveGrant,
  { token, place, accessSecret, nowMs, scopes, resources }: Issue,
): IssuedTokens | null {
  const isCurrent = place === "current";
  const end = isCurrent
    ? moveOn(keys, grant, token, nowMs)
    : repeatSuccessor(keys, grant.refresh, token);
  if (end === null) return null;
  const moved = { ...grant, refresh: end.line, lastUsedAtMs: nowMs };
  const extent = { scopes, resources };
  const access = newAccessToken(keys, moved, extent, accessSecret, nowMs);
  if (isCurrent) tx.grants.save(moved);
  return issuedTokens(moved, access, end);
}

function narrow(grant: Grant, { scopes, resources }: RefreshTokens): Extent {
  if (scopes !== null && !isSubset(scopes, grant.scopes)) {
    refuseOauth("invalid_scope", "A scope was not granted");
  }
  if (resources !== null && !isSubset(resources, grant.resources)) {
    refuseTarget();
  }
  return {
    scopes: scopes ?? grant.scopes,
    resources: resources ?? grant.resources,
  };
}

async function endGrant(
  { settings }: Services,
  tx: Transaction,
  grant: Grant,
  mailId: string,
  nowMs: number,
): Promise<void> {
  const account = await tx.accounts.find(grant.accountId);
  revokeIn(tx, grant, "refresh_reuse", nowMs);
  if (account === null) return;
  const mail = reuseMail(account.email, grant.client.name, settings.baseUrl);
  queueSecurityMail(tx, account, { mailId, mail }, nowMs);
}

/** Tells a user that a used refresh token came back and what was done. */
function reuseMail(
  to: string,
  clientName: string,
  baseUrl: string,
): Mail {
  return {
    to,
    subject: "An application was disconnected from your Spotlight account",
    text: `The application that calls itself

    ${clientName}

showed Spotlight a key that had been replaced already. Somebody may have copied
it, so we disconnected the application at once: it can do nothing on your behalf
any more. Bids it placed before stand.

You can see what it was allowed to do, and connect it again, here:

${baseUrl}${PAGES.agents}
`,
  };
}
