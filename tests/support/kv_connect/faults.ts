import { DEFAULTS, type Settings } from "./settings.ts";
import type { Call, Outcome } from "./trace.ts";

/** The call's connection is to be cut, instead of an answer. */
export class Cut extends Error {
  override readonly name = "Cut";
  readonly outcome: Outcome;

  constructor(outcome: Outcome) {
    super("The connection is to be cut");
    this.outcome = outcome;
  }
}

/** The call is answered 503, and nothing was done. */
export class OutOfService extends Error {
  override readonly name = "OutOfService";
}

/** The shares of the settings by which a fault happens. */
type Share = Extract<keyof Settings, `share${string}`>;

/** Delays and faults, as the settings order them. */
export class Faults {
  readonly settings: Settings;
  readonly #random: () => number;
  #changed = Promise.withResolvers<void>();
  #isOver = false;

  /** `random` answers from 0 up to 1. */
  constructor(settings: Partial<Settings>, random: () => number) {
    this.settings = { ...DEFAULTS, ...settings };
    this.#random = random;
  }

  /** Changes settings; calls that hang go on once the outage is over. */
  change(changes: Partial<Settings>): void {
    Object.assign(this.settings, changes);
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }

  /** Cuts what hangs, for good. */
  end(): void {
    this.#isOver = true;
    this.change({});
  }

  /** The time that a call takes, ms, when it normally takes this. */
  timeOf(ms: number, call?: Call): number {
    if (this.happens("shareSlow", call)) return this.settings.slowMs;
    return ms * (1 + this.settings.jitter * (2 * this.#random() - 1));
  }

  /** Whether the fault of this share befalls the call. */
  happens(share: Share, call?: Call): boolean {
    const { [share]: likelihood, faultFamily, faultsLeft } = this.settings;
    if (likelihood === 0 || faultsLeft === 0) return false;
    const concerns = faultFamily === "" ||
      call?.keys.some((text) => familyOf(text) === faultFamily);
    if (!concerns || this.#random() >= likelihood) return false;
    if (faultsLeft > 0) this.settings.faultsLeft -= 1;
    return true;
  }

  /**
   * The way in: waits, and throws where the call ends here.
   *
   * @throws {Cut | OutOfService}
   */
  async arrive(halfMs: number, call?: Call): Promise<void> {
    await this.#hang(call);
    await sleep(halfMs);
    if (this.settings.outage === "reset") throw new Cut("reset_before");
    if (this.settings.outage === "503" || this.happens("share503", call)) {
      throw new OutOfService("The server is temporarily unavailable.");
    }
  }

  /** What waited goes through when the outage is over. */
  async #hang(call: Call | undefined): Promise<void> {
    if (this.settings.outage !== "hang") return;
    if (call !== undefined) call.outcome = "hang";
    while (this.settings.outage === "hang" && !this.#isOver) {
      await this.#changed.promise;
    }
    if (this.#isOver) throw new Cut("hang");
    if (call !== undefined) call.outcome = "open";
  }
}

/** The first part of a key; commits have a sign before it. */
function familyOf(text: string): string {
  return /^[?=+-]?([^/…]*)/.exec(text)?.[1] ?? "";
}

/** Waits, ms. */
export function sleep(ms: number): Promise<void> {
  if (ms <= 0) return Promise.resolve();
  return new Promise((resolve) => setTimeout(resolve, ms));
}
