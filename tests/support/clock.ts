import type { Clock } from "../../domain/ports.ts";

/** Noon of a day in the middle of a month, where tests begin. */
export const TEST_START_MS = Date.parse("2026-11-20T12:00:00.000Z");

/** A clock that moves only when it is told to. */
export class ManualClock implements Clock {
  #nowMs: number;

  constructor(startMs: number | string = TEST_START_MS) {
    this.#nowMs = toMs(startMs);
  }

  now(): number {
    return this.#nowMs;
  }

  /** Jumps to a moment: epoch ms or ISO 8601 text. */
  set(moment: number | string): void {
    this.#nowMs = toMs(moment);
  }

  /** Moves on by so many milliseconds. */
  advance(ms: number): void {
    this.#nowMs += ms;
  }
}

/** A clock that goes on from a moment of its own, and jumps when it is told to. */
export class RunningClock implements Clock {
  #aheadMs: number;

  constructor(startMs: number | string = TEST_START_MS) {
    this.#aheadMs = toMs(startMs) - Date.now();
  }

  now(): number {
    return Date.now() + this.#aheadMs;
  }

  /** Jumps to a moment: epoch ms or ISO 8601 text. */
  set(moment: number | string): void {
    this.#aheadMs = toMs(moment) - Date.now();
  }
}

function toMs(moment: number | string): number {
  const ms = typeof moment === "number" ? moment : Date.parse(moment);
  if (Number.isNaN(ms)) throw new TypeError(`Cannot read moment "${moment}"`);
  return ms;
}
