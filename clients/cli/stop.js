// @ts-check

/** What the process ends with. */
export const EXIT = /** @type {const} */ ({
  done: 0,
  /** The service said no. What was done before it did, the message says. */
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
   * @param {{ advice?: string, code?: string | null, adId?: string }} [more]
   */
  constructor(exit, message, { advice, code, adId } = {}) {
    super(message);
    this.exit = exit;
    this.advice = advice ?? null;
    this.code = code ?? null;
    /** The advertisement that was written before the command ended. */
    this.adId = adId;
  }
}

/** An advertisement was written, and what was to follow it did not happen. */
export class OnlyWritten extends Error {
  /**
   * @param {string} adId
   * @param {string} goOn the command that does the rest
   * @param {unknown} cause why
   */
  constructor(adId, goOn, cause) {
    super(`${adId} is written, as a draft, and was not submitted`, { cause });
    this.adId = adId;
    this.goOn = goOn;
  }
}
