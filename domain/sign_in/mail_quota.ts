/** Codes mailed to one address within an hour. */
export const MAILS_PER_EMAIL = 5;
/** Codes mailed at the request of one client address within an hour. */
export const MAILS_PER_CLIENT = 20;
/** What both are counted over: an hour that moves with the clock. */
export const MAIL_QUOTA_MS = 3_600_000;

/** When mails were sent lately to, or for, somebody. */
export interface MailQuota {
  /** HMAC of the e-mail or client address: neither is stored. */
  hash: string;
  sentAtMs: readonly number[];
  expiresAtMs: number;
}

/** A quota with one more mail, or how long to wait for it. */
export type QuotaVerdict =
  | { admitted: true; quota: MailQuota }
  | { admitted: false; retryAfterS: number };

/** Counts a mail against a quota of so many an hour. */
export function countMail(
  before: MailQuota | null,
  hash: string,
  limit: number,
  nowMs: number,
): QuotaVerdict {
  const recent = (before?.sentAtMs ?? [])
    .filter((sentAtMs) => sentAtMs > nowMs - MAIL_QUOTA_MS);
  const oldest = recent.at(-limit);
  if (oldest !== undefined) {
    const waitMs = oldest + MAIL_QUOTA_MS - nowMs;
    return { admitted: false, retryAfterS: Math.ceil(waitMs / 1_000) };
  }
  return {
    admitted: true,
    quota: {
      hash,
      sentAtMs: [...recent, nowMs],
      expiresAtMs: nowMs + MAIL_QUOTA_MS,
    },
  };
}
