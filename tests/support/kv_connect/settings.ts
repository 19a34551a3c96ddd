/** How an outage looks to the client: `hang` is a line that says nothing. */
export type Outage = "none" | "503" | "reset" | "hang";

/** Everything that can be changed while the server runs. */
export interface Settings {
  /** Time of a read, ms: half on the way in, half on the way out. */
  readMs: number;
  /** Time of a commit, ms: half before it applies, half after. */
  writeMs: number;
  /** Times vary by this share to either side. */
  jitter: number;
  /** Every call meets this until it is set back to `none`. */
  outage: Outage;
  /** Share of calls answered 503 before anything is done. */
  share503: number;
  /** Share of commits whose connection is cut before they apply. */
  shareResetBefore: number;
  /** Share of commits whose connection is cut after they applied. */
  shareResetAfter: number;
  /** Share of commits that apply, of whose answer only half arrives. */
  shareBrokenBody: number;
  /** Share of calls that take `slowMs` instead. */
  shareSlow: number;
  slowMs: number;
  /** Only calls on a key of this family meet the shares; "" is all. */
  faultFamily: string;
  /** How many faults are still to happen by the shares; -1 is no end. */
  faultsLeft: number;
  /** Whether watches push changes; `silent` ones are open and say nothing. */
  watch: "on" | "silent" | "503";
  /**
   * Acknowledges at once what a client sent (http only). Deno's client sends a
   * call of more than 1 KiB in two pieces and, having Nagle's algorithm on, the
   * second only when the first is acknowledged, which Linux puts off by 40 ms.
   */
  quickAck: boolean;
}

/** The settings that a server begins with. */
export const DEFAULTS: Readonly<Settings> = {
  readMs: 0,
  writeMs: 0,
  jitter: 0,
  outage: "none",
  share503: 0,
  shareResetBefore: 0,
  shareResetAfter: 0,
  shareBrokenBody: 0,
  shareSlow: 0,
  slowMs: 3_000,
  faultFamily: "",
  faultsLeft: -1,
  watch: "on",
  quickAck: false,
};

/**
 * Takes changes that came from outside as JSON.
 *
 * @throws {TypeError} at a setting that there is none of, or of another type
 */
export function readChanges(changes: object): Partial<Settings> {
  const defaults: Record<string, unknown> = { ...DEFAULTS };
  for (const [name, value] of Object.entries(changes)) {
    if (!(name in defaults)) throw new TypeError(`No setting "${name}"`);
    const wanted = typeOf(defaults[name]);
    if (typeOf(value) !== wanted) {
      throw new TypeError(`Setting "${name}" must be a ${wanted}`);
    }
  }
  return changes;
}

/** The name of a value's type. */
export function typeOf(value: unknown): string {
  return typeof value;
}
