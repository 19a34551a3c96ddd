/** Longest address that mail can be sent to (RFC 5321 §4.5.3.1.3). */
const EMAIL_MAX = 254;
/** Longest part before the @ (RFC 5321 §4.5.3.1.1). */
const LOCAL_MAX = 64;

/** Dot-atom @ host name: no quotes, comments, lists or address literals. */
const SHAPE =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;

/**
 * Reads an address as accounts are known by: trimmed, in lower case, since no
 * provider of today tells two people apart by case. Null when it is none.
 */
export function parseEmail(text: string): string | null {
  const trimmed = text.trim();
  // Lower case can turn other characters into ASCII.
  if (trimmed.length > EMAIL_MAX || /[^\x21-\x7e]/.test(trimmed)) return null;
  const email = trimmed.toLowerCase();
  return SHAPE.test(email) && email.indexOf("@") <= LOCAL_MAX ? email : null;
}
