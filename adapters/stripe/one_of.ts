/**
 * One of the words the processor is known to use. What a word new to us means
 * for anyone's money is not guessed. Decision 0130 says why.
 *
 * @throws {TypeError} for any other: then the outcome is open
 */
export function oneOf<const W extends string>(
  words: readonly W[],
  given: string | null,
): W {
  const known = words.find((word) => word === given);
  if (known !== undefined) return known;
  throw new TypeError(`Cannot tell what the processor means by "${given}"`);
}
