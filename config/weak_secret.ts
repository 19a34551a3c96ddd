/** A key has at least so many different characters, or it was typed. */
const DIFFERENT_MIN = 8;

/** What people write where a secret is still to be put. */
const PLACEHOLDER =
  /change.?me|change.?this|replace.?(me|this)|place.?holder|password|example|insert.?here|your.{0,10}(key|secret)|secret.?(key|here)|not.?a.?secret|dummy/i;

/**
 * Whether a key that is long enough can be guessed all the same: one text over
 * and over, few different characters, a run such as `abcdef…`, or the words of
 * a sample file. Of random keys one in millions looks so.
 */
export function looksLikePlaceholder(key: string): boolean {
  return new Set(key).size < DIFFERENT_MIN || repeatsItself(key) ||
    isMostlyRuns(key) || PLACEHOLDER.test(key);
}

/** Whether its second part, half of it or more, says what stood before. */
function repeatsItself(key: string): boolean {
  for (let period = 1; period <= key.length / 2; period++) {
    if (key.startsWith(key.slice(period))) return true;
  }
  return false;
}

/** Whether most characters are the one before plus one, or minus one. */
function isMostlyRuns(key: string): boolean {
  let steps = 0;
  for (let at = 1; at < key.length; at++) {
    if (Math.abs(key.charCodeAt(at) - key.charCodeAt(at - 1)) === 1) steps++;
  }
  return steps > key.length / 2;
}
