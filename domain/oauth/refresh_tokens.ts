import { mandateEnded } from "../mandates/mandate_check.ts";
import { queueMail } from "../mail/outbox_mail.ts";
import type { Services, Transaction } from "../ports.ts";
import type { Grant, RefreshLine, Scope } from "./grant.ts";
import {
  type IssuedTokens,
  issuedTokens,
  type Narrowing,
} from "./issue_tokens.ts";
import { refuseGrant, refuseOauth, refuseTarget } from "./oauth_error.ts";
import { moveOn, placeInLine, repeatSuccessor } from "./refresh_line.ts";
import type { Resource } from "./resource.ts";
import { reuseMail } from "./reuse_mail.ts";
import { revokeIn } from "./revoke_grant.ts";
import { isSubset } from "./scope_list.ts";
import { grantIdOfRefreshToken, newAccessToken, tokenHash } from "./tokens.ts";

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
  const { refreshToken, clientId } = input;
  const grantId = grantIdOfRefreshToken(refreshToken);
  if (grantId === null) refuseGrant();
  const hash = tokenHash(refreshToken);
  const accessSecret = ids.secret();
  let mailId: string | undefined;
  const outcome = await store.transact(async (tx) => {
    const nowMs = clock.now();
    const grant = await tx.grants.find(grantId);
    if (!isUsable(grant, clientId, nowMs)) return null;
    if (!await isOf(tx, grant, hash, nowMs)) return null;
    if (placeInLine(grant.refresh, hash, nowMs) === "reused") {
      mailId ??= ids.next("mail");
      await endGrant(services, tx, grant, mailId, nowMs);
      return "reused";
    }
    return issue(services, tx, grant, { ...input, hash, accessSecret, nowMs });
  });
  if (outcome === "reused") log.error("refresh_token_reused");
  return outcome === null || outcome === "reused" ? refuseGrant() : outcome;
}

/** Its line tells of the current token all that its row does. */
async function isOf(
  tx: Transaction,
  { id, refresh }: LiveGrant,
  hash: string,
  nowMs: number,
): Promise<boolean> {
  if (hash === refresh.currentHash) return nowMs < refresh.endsAtMs;
  const token = await tx.refreshTokens.find(hash);
  return token !== null && token.grantId === id;
}

function isUsable(
  grant: Grant | null,
  clientId: string,
  nowMs: number,
): grant is LiveGrant {
  return grant !== null && grant.clientId === clientId &&
    grant.revokedAtMs === null &&
    grant.refresh !== null &&
    !(grant.mandate && mandateEnded(grant.mandate, nowMs));
}

/** Null when the successor can't be told any more. */
function issue(
  { keys }: Services,
  tx: Transaction,
  grant: LiveGrant,
  input: RefreshTokens & { hash: string; accessSecret: string; nowMs: number },
): IssuedTokens | null {
  const { refreshToken, hash, accessSecret, nowMs } = input;
  const narrowing = narrow(grant, input);
  const wanted = { id: grant.id, ...narrowing };
  const access = newAccessToken(wanted, accessSecret, nowMs);
  const { refresh } = grant;
  const isCurrent = hash === refresh.currentHash;
  const end = isCurrent
    ? moveOn(tx, keys, grant, refreshToken, nowMs)
    : repeatSuccessor(keys, grant, refresh, refreshToken);
  if (end === null) return null;
  const moved = { ...grant, refresh: end.line, lastUsedAtMs: nowMs };
  if (isCurrent) tx.grants.save(moved);
  tx.accessTokens.save(access.row);
  const { text, line: { endsAtMs } } = end;
  return issuedTokens(moved, access, { text, endsAtMs });
}

function narrow(grant: Grant, { scopes, resources }: RefreshTokens): Narrowing {
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
  const account = await tx.peek(tx.accounts.ref(grant.accountId));
  revokeIn(tx, grant, "refresh_reuse", nowMs);
  if (account === null) return;
  const mail = reuseMail(account.email, grant.client.name, settings.baseUrl);
  queueMail(tx, mailId, mail, nowMs);
}
