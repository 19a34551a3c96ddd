/** Records that the store reads in one round trip. */
const READ_TOGETHER = 10;

/** A list in its order, so many at a time; ten, as the store reads, if left out. */
export function* groupsOf<T>(
  all: readonly T[],
  size: number = READ_TOGETHER,
): Generator<T[]> {
  for (let at = 0; at < all.length; at += size) yield all.slice(at, at + size);
}
