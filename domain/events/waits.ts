/**
 * Requests that wait for events of their account, as the verbs know them.
 *
 * @module
 */

/** Who waits, and what may end it. */
export interface WaitFor {
  accountId: string;
  grantId: string;
  /** The longest wait. */
  ms: number;
  /** Aborted when the client has gone. */
  gone: AbortSignal;
  /** Judges again whether who waits still may. @throws when not */
  stillMay(): Promise<unknown>;
}

/** A request that waits. */
export interface Wait {
  /** There is nothing more to wait for: the time is over, or somebody ended it. */
  readonly isOver: boolean;
  /**
   * Settled once there may be events behind the place, or it is over.
   *
   * @throws what {@linkcode WaitFor.stillMay} throws meanwhile
   */
  next(after: number): Promise<void>;
  /** Gives its place free. */
  end(): void;
}

/** The waiting requests of a process. */
export interface EventWaits {
  /** Takes a place; where there is none, whoever waits longest gives way. */
  begin(waitFor: WaitFor): Wait;
  /** Tells that a commit of this process has added events of these accounts. */
  wake(accountIds: readonly string[]): void;
}
