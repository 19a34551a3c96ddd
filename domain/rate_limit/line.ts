/** One for all lines: an empty list each would live as long as its line. */
const NOBODY: never[] = [];
Object.freeze(NOBODY);

/**
 * Who waits in one line, the first to come first. Lines take turns: those who
 * want the same bucket stand in one, and of those who want several at once,
 * all of the same asker.
 */
export abstract class Line<Waiter> {
  /** Who takes turns with others, whatever lines are its own. */
  abstract readonly asker: string;
  waiters: Waiter[] = NOBODY;
  /** Whether the pump has it: it waits for its turn, or is being served. */
  queued = false;

  /** Lets one more wait. */
  wait(waiter: Waiter): void {
    if (this.waiters.length === 0) this.waiters = [waiter];
    else this.waiters.push(waiter);
  }

  /** Takes the first ones off the line. */
  leave(count: number): void {
    if (count === this.waiters.length) this.waiters = NOBODY;
    else this.waiters.splice(0, count);
  }

  /** Puts back, before those who came meanwhile, who is to be served again. */
  putBack(waiters: Waiter[]): void {
    this.waiters = waiters.concat(this.waiters);
  }
}
