import { composed, isFarTooLong } from "../text/text_problem.ts";
import { refuse } from "../refusal.ts";

/** Longest name of a passkey, in characters. */
export const PASSKEY_NAME_MAX = 60;

/** White space, control, format (bidi and zero-width among them), unassigned. */
const UNSEEN = /[\s\p{C}\p{Zl}\p{Zp}]+/gu;

/**
 * A name as its owner typed it: in one line, without what can't be seen.
 *
 * @throws {Refused} `invalid_input` when nothing is left or it is too long
 */
export function parsePasskeyName(text: string): string {
  const seen = composed(text, PASSKEY_NAME_MAX)
    .replace(UNSEEN, (unseen) => /\s/.test(unseen) ? " " : "").trim();
  // What stood apart may be one letter now.
  const name = composed(seen, PASSKEY_NAME_MAX);
  const isTooLong = isFarTooLong(text, PASSKEY_NAME_MAX) ||
    [...name].length > PASSKEY_NAME_MAX;
  if (name === "" || isTooLong) {
    refuse({
      code: "invalid_input",
      message: `Cannot name the passkey: a name has 1 to ${PASSKEY_NAME_MAX} ` +
        "characters",
    });
  }
  return name;
}
