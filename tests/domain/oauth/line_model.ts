/**
 * What the tokens of one line may do, as simply as it can be said: the model
 * that random sequences of requests are compared with.
 *
 * @module
 */

/** How long a used token is forgiven, ms. */
const GRACE_MS = 30_000;

/** One line in the model; tokens are numbered in the order they were given. */
export class LineModel {
  /** By itself, or with its grant. */
  revoked = false;
  /** Whether the code was exchanged. */
  redeemed = false;
  /** Refresh tokens that were given, the last is current. */
  line = 0;
  /** When the current one was given for its predecessor. */
  movedAtMs = -Infinity;
  /** Access tokens that were given; true when revoked. */
  readonly access: boolean[] = [];

  /** The code is presented with everything else right. */
  redeem(): "tokens" | "refused" {
    if (this.revoked || this.redeemed) {
      // A replay ends the line.
      this.revoked = this.revoked || this.redeemed;
      return "refused";
    }
    this.redeemed = true;
    this.line = 1;
    this.access.push(false);
    return "tokens";
  }

  /** The nth refresh token, from 1, is presented. */
  refresh(nth: number, nowMs: number): "tokens" | "refused" {
    if (this.revoked || nth > this.line) return "refused";
    if (nth === this.line) {
      this.line += 1;
      this.movedAtMs = nowMs;
    } else if (nth !== this.line - 1 || nowMs - this.movedAtMs > GRACE_MS) {
      this.revoked = true;
      return "refused";
    }
    this.access.push(false);
    return "tokens";
  }

  /** Whether the nth access token, from 0, is good. */
  isAlive(nth: number): boolean {
    return !this.revoked && this.access[nth] === false;
  }
}
