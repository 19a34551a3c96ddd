/**
 * Shares a read among those who want it at the same time. What each is given
 * was read after it asked: who comes while a read is under way waits for the
 * next, together with all others who do.
 */
export function freshRead<T>(read: () => Promise<T>): () => Promise<T> {
  let underWay: Promise<T> | null = null;
  let next: Promise<T> | null = null;

  function begin(): Promise<T> {
    const reading = read().finally(() => {
      if (underWay === reading) underWay = null;
    });
    return underWay = reading;
  }

  return function readFresh() {
    if (underWay === null) return begin();
    next ??= underWay.then(goOn, goOn);
    return next;
  };

  function goOn(): Promise<T> {
    next = null;
    return begin();
  }
}
