/** "client_name 1–100 chars without control/bidi characters." */
const NAME_MAX = 100;

/** Controls, format and bidi characters, line ends, private use, tags. */
const FORBIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]/u;

/** The name as it is shown; `null` for what is no name. */
export function parseClientName(value: unknown): string | null {
  if (typeof value !== "string" || !value.isWellFormed()) return null;
  const name = value.normalize("NFC").trim();
  const { length } = [...name];
  return length > 0 && length <= NAME_MAX && !FORBIDDEN.test(name)
    ? name
    : null;
}
