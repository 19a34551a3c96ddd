import { OutcomeUnknown } from "../failure.ts";
import { sha256Hex } from "../sha256.ts";
import { queueSecurityMail } from "../accounts/security_mails.ts";
import type { MailContent } from "../mail/mail_content.ts";
import { mandateEnded } from "../mandates/mandate_check.ts";
import { PAGES } from "../pages.ts";
import type { Transaction } from "../ports.ts";
import { type Extent, newAccessToken } from "./access_token.ts";
import { findNamedGrant } from "./find_named_grant.ts";
import type { Grant, Scope, TokenLine } from "./grant.ts";
import {
  type ExchangeServices,
  type IssuedTokens,
  issuedTokens,
} from "./issue_tokens.ts";
import { lineOfRefreshToken, withLine, withoutLine } from "./lines.ts";
import {
  moveOn,
  placeInLine,
  repeatSuccessor,
  type ShownToken,
} from "./refresh_line.ts";
import { readRefreshToken } from "./refresh_token.ts";
import { refuseGrant, refuseOauth, refuseTarget } from "./refuse_oauth.ts";
import type { Resource } from "./resource.ts";
import { isSubset } from "./scope_list.ts";
import { UntoldRefreshes } from "./untold_refreshes.ts";

/** What a client shows, and how much it wants of what was granted. */
export interface RefreshTokens {
  refreshToken: string;
  clientId: string;
  /** Null for all that was granted. */
  scopes: readonly Scope[] | null;
  resources: readonly Resource[] | null;
}

/** The grant of a refresh token and its line in it. */
interface Shown {
  grant: Grant;
  line: TokenLine;
}

/**
 * Gives an access token and moves a line of refresh tokens on. The token just
 * used may be shown for 30 s more and gets the same successor; any other used
 * one means that it was stolen: the line ends and its user gets a mail (OAuth
 * 2.1 §4.3.1). What was answered "try the same again" gets it whenever it comes
 * again. Without `scope` the access token has all that the grant has at
 * this moment; narrowing applies to the access token alone.
 *
 * @throws {Refused} `oauth_error`: `invalid_grant`, `invalid_scope`,
 * `invalid_target`; the last two use nothing up
 */
export async function refreshTokens(
  services: ExchangeServices,
  input: RefreshTokens,
  untold = new UntoldRefreshes(),
): Promise<IssuedTokens> {
  const { clock, ids, log, store } = services;
  const { refreshToken: text, clientId } = input;
  const parts = readRefreshToken(text);
  if (parts === null) refuseGrant();
  const token = { ...parts, text, hash: sha256Hex(text) };
  const accessSecret = ids.secret();
  let mailId: string | undefined;
  let isMovedOn = false;
  const outcome = await store.transact(async (tx) => {
    isMovedOn = false;
    const nowMs = clock.now();
    const grant = await findNamedGrant(tx, token.grantId);
    const line = grant && usableLine(grant, token, clientId, nowMs);
    if (grant === null || line === null) return null;
    const isUntold = untold.isOpen(token.hash, nowMs);
    const place = placeInLine(line.refresh, token, nowMs, isUntold);
    if (place === "none") return null;
    const shown = { grant, line };
    if (place === "reused") {
      mailId ??= ids.next("mail");
      await endLine(services, tx, shown, mailId, nowMs);
      return "reused";
    }
    const narrowing = narrow(shown, input);
    const wanted = { ...narrowing, token, place, accessSecret, nowMs };
    isMovedOn = place === "current";
    return issue(services, tx, shown, wanted);
  }).catch((thrown) => {
    const isUnknown = thrown instanceof OutcomeUnknown && isMovedOn;
    if (isUnknown) untold.leave(token.hash);
    throw thrown;
  });
  if (outcome === "reused") log.info("refresh_token_reused");
  if (outcome === null || outcome === "reused") refuseGrant();
  untold.tell(token.hash, clock.now());
  return outcome;
}

/** The line that the token names, if its client may use it. */
function usableLine(
  grant: Grant,
  token: ShownToken,
  clientId: string,
  nowMs: number,
): TokenLine | null {
  const isUsable = grant.clientId === clientId && grant.revokedAtMs === null &&
    !mandateEnded(grant.mandate, nowMs);
  return isUsable ? lineOfRefreshToken(grant, token) : null;
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
  { keys }: ExchangeServices,
  tx: Transaction,
  { grant, line }: Shown,
  { token, place, accessSecret, nowMs, scopes, resources }: Issue,
): IssuedTokens | null {
  const isCurrent = place === "current";
  const end = isCurrent
    ? moveOn(keys, { ...grant, refresh: line.refresh }, token, nowMs)
    : repeatSuccessor(keys, line.refresh, token);
  if (end === null) return null;
  const moved = { ...line, refresh: end.line };
  const extent = { scopes, resources };
  const issuing = { grant, line: moved };
  const access = newAccessToken(keys, issuing, extent, accessSecret, nowMs);
  if (isCurrent) {
    tx.grants.save({ ...withLine(grant, moved), lastUsedAtMs: nowMs });
  }
  return issuedTokens(grant, access, end);
}

/**
 * All that the user has granted the client by now, or a part of it: "scope …
 * MUST NOT include any scope not originally granted by the resource owner"
 * (RFC 6749 §6), and what was ticked later was granted by them as well.
 */
function narrow(
  { grant, line }: Shown,
  { scopes, resources }: RefreshTokens,
): Extent {
  if (scopes !== null && !isSubset(scopes, grant.scopes)) {
    refuseOauth("invalid_scope", "A scope was not granted");
  }
  if (resources !== null && !isSubset(resources, line.resources)) {
    refuseTarget();
  }
  return {
    scopes: scopes ?? grant.scopes,
    resources: resources ?? line.resources,
  };
}

async function endLine(
  { settings }: ExchangeServices,
  tx: Transaction,
  { grant, line }: Shown,
  mailId: string,
  nowMs: number,
): Promise<void> {
  const account = await tx.accounts.find(grant.accountId);
  tx.grants.save(withoutLine(grant, line, "refresh_reuse", nowMs));
  if (account === null) return;
  const content = reuseMail(account.email, grant.client.name, settings.baseUrl);
  queueSecurityMail(tx, account, { mailId, content }, nowMs);
}

/** Tells a user that a used refresh token came back and what was done. */
export function reuseMail(
  to: string,
  clientName: string,
  baseUrl: string,
): MailContent<"token_reused"> {
  return {
    kind: "token_reused",
    to,
    subject: "An application was disconnected from your Spotlight account",
    parts: [
      "This application showed Spotlight a key that had been replaced already:",
      { quote: clientName },
      "Somebody may have copied the key, so we disconnected that copy of the " +
      "application at once: it can't act for you any more. If you use the " +
      "application in other places too, those go on. Bids it placed before " +
      "stand. An address for events that it had set has ended, or one whose " +
      "secret it was told: set it again once you trust it.",
      "You can see what the application may do, or disconnect it altogether. " +
      "To connect it again, begin in the application.",
      { button: "See your agents", url: `${baseUrl}${PAGES.agents}` },
    ],
  };
}
