// @ts-check

/** What the process ends with. */
export const EXIT = /** @type {const} */ ({
  done: 0,
  /** The service said no, and nothing has changed. */
  refused: 1,
  /** The command was not understood. */
  usage: 2,
  /** Nobody has connected this machine, or the connection has ended. */
  signIn: 3,
  /** No answer; what was asked for changes nothing. */
  notReached: 4,
  /** Nobody knows whether it was done: repeat it with its key. */
  uncertain: 5,
});

/** Ends the command with a sentence that says why and what to do. */
export class Stop extends Error {
  /**
   * @param {number} exit one of {@linkcode EXIT}
   * @param {string} message
   * @param {{ advice?: string, code?: string | null }} [more]
   */
  constructor(exit, message, { advice, code } = {}) {
    super(message);
    this.exit = exit;
    this.advice = advice ?? null;
    this.code = code ?? null;
  }
}
