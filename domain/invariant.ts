/** A promise the code makes to itself was broken: a bug, never a user's no. */
export class InvariantBroken extends Error {
  override readonly name = "InvariantBroken";
}

/** Stops with {@linkcode InvariantBroken} unless the condition holds. */
export function invariant(
  condition: unknown,
  message: string,
): asserts condition {
  if (!condition) throw new InvariantBroken(`Invariant broken: ${message}`);
}

/** Makes an exhaustive `switch` a compile error when a case is missing. */
export function unreachable(value: never): never {
  throw new InvariantBroken(
    `Invariant broken: no case for ${JSON.stringify(value)}`,
  );
}
