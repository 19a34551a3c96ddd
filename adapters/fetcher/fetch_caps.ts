/** How many requests may leave the process. */
export interface FetchCaps {
  /** At the same time. */
  concurrent: number;
  /** Within any one second. */
  perSecond: number;
}

/** The cap on all outgoing fetches, so that nobody amplifies with us. */
export const FETCH_CAPS: FetchCaps = { concurrent: 20, perSecond: 10 };

/** The same for messages, which documents never wait for. */
export const NOTIFY_CAPS: FetchCaps = { concurrent: 32, perSecond: 100 };

/** Admits requests as far as the caps go. */
export interface FetchGate {
  /** Takes a place and returns how to give it back; null when none is free. */
  enter(): (() => void) | null;
}

/** A gate over a clock that only goes forward, ms. */
export function fetchGate(caps: FetchCaps, nowMs: () => number): FetchGate {
  /** When the last requests entered, oldest first. */
  const entered: number[] = [];
  let underWay = 0;
  return {
    enter() {
      const now = nowMs();
      while (entered.length > 0 && now - (entered[0] ?? now) >= 1_000) {
        entered.shift();
      }
      const isFull = underWay >= caps.concurrent ||
        entered.length >= caps.perSecond;
      if (isFull) return null;
      entered.push(now);
      underWay += 1;
      let left = false;
      return () => {
        if (!left) underWay -= 1;
        left = true;
      };
    },
  };
}
