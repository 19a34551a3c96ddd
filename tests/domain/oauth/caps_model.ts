/**
 * What one client of a user was allowed and used, as simply as it can be said.
 *
 * @module
 */
import type { Mandate } from "../../../domain/oauth/grant.ts";

export const HOUR_MS = 3_600_000;

/** What a user types. */
export interface Terms {
  maxBidCents: number;
  dailyCapCents: number;
  /** Undefined for no total. */
  totalCapCents: number | undefined;
  hours: number;
}

/** The mandate of these terms. */
export function mandateOf({ hours, ...caps }: Terms, nowMs: number): Mandate {
  return withTotal(
    { ...caps, validUntilMs: nowMs + hours * HOUR_MS },
    caps.totalCapCents,
  );
}

/** The mandate with that total, or with none. */
export function withTotal(
  { maxBidCents, dailyCapCents, validUntilMs }: Omit<Mandate, "totalCapCents">,
  totalCapCents: number | undefined,
): Mandate {
  const total = totalCapCents === undefined ? {} : { totalCapCents };
  return { maxBidCents, dailyCapCents, ...total, validUntilMs };
}

/** One client. */
export class ClientModel {
  readonly id: string;
  /** What may hold at this moment; several during deeds at once. */
  allowed: Mandate[] = [];
  /** What counts, or would, against a total: until its end, set or not. */
  total: { usedCents: number; endsAtMs: number } | null = null;
  /** The grants it had. */
  readonly grantIds = new Set<string>();

  constructor(nth: number) {
    this.id = `client_${nth}`;
  }

  /** The user allows this now. */
  allow(mandate: Mandate, usedTodayCents: number, nowMs: number): void {
    this.allowed.push(mandate);
    if (!this.counts(nowMs)) this.total = null;
    if (mandate.totalCapCents === undefined) return;
    this.total ??= { usedCents: usedTodayCents, endsAtMs: 0 };
    const { usedCents, endsAtMs } = this.total;
    this.total = {
      usedCents,
      endsAtMs: Math.max(endsAtMs, mandate.validUntilMs),
    };
  }

  /** Whether a total that was set once has not ended. */
  counts(nowMs: number): boolean {
    return this.total !== null && nowMs < this.total.endsAtMs;
  }

  most(cap: "maxBidCents" | "dailyCapCents" | "totalCapCents"): number {
    return Math.max(0, ...this.allowed.map((one) => one[cap] ?? Infinity));
  }
}
