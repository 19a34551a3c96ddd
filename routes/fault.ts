/**
 * What may be written down of an error. Messages come from anywhere, so what
 * looks like an address, a token or an e-mail is taken out first.
 */
const PRIVATE: readonly [RegExp, string][] = [
  [/(?<![^\s@"'<>])[^\s@"'<>]+(?:@|%40)[^\s@"'<>]+/gi, "[e-mail]"],
  [/\b(Bearer|Basic|Payment)\s+[^\s"']+/gi, "$1 [token]"],
  [
    /\b(payment-receipt|code_verifier)(["']?\s*[:=]\s*["']?)[^\s"'&]+/gi,
    "$1$2[token]",
  ],
  [/svc_(?:sess|sess_preview|sign_in)=[^\s"';,]*/g, "[cookie]"],
  [/\bsvc_(?:at|rt|ac)_[\w-]+/g, "[token]"],
  [/\beyJ[\w.-]{10,}/g, "[token]"],
  [/\b(sk|rk|pk|whsec|spt|seti|pi)_[A-Za-z0-9_]{6,}/g, "[token]"],
  // The ids of some mails are as long: they are made of an id of ours and say it.
  [/\b(?!mail_(?:refund|off)_)[A-Za-z0-9_-]{40,}\b/g, "[token]"],
  [/\b\d{1,3}(\.\d{1,3}){3}\b/g, "[address]"],
  [/\?[^\s"']*/g, "?[query]"],
];

const TEXT_MAX = 4_000;

/** The fields of a log line about an error, without anything private in them. */
export function faultFields(
  requestId: string,
  fault: unknown,
): Record<string, string> {
  const error = fault instanceof Error ? fault : new Error(String(fault));
  return {
    request: requestId,
    error: error.name,
    stack: scrub(error.stack ?? error.message),
  };
}

/** A text with whatever looks private taken out, and cut to a bounded length. */
export function scrub(text: string): string {
  return PRIVATE.reduce(
    (clean, [shape, instead]) => clean.replace(shape, instead),
    text.slice(0, TEXT_MAX),
  );
}
