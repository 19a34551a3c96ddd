/**
 * What a checkout has to do, said once more and as simply as possible: the
 * statuses, the keys and the money of a few sessions.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import {
  CHECKOUT_EDGES,
  type CheckoutStatus,
} from "../../../domain/checkout/session.ts";

/** What a POST on a session wants. */
export type Wish =
  | { do: "update"; day: string }
  | { do: "complete"; token: string }
  | { do: "cancel" };

/** What a request comes to, in a word or two. */
export type Verdict =
  /** 200, with the session in this status. */
  | CheckoutStatus
  | "replay"
  | "conflict"
  | "in_flight"
  /** A no that is stored. */
  | "no"
  /** A no that may be another one soon. */
  | "not_now"
  | "requires_3ds"
  | "uncertain"
  | "crashed";

/** One session as the model knows it. */
export interface ModelSession {
  status: CheckoutStatus;
  day: string;
  openUntilMs: number;
  /** Payments begun so far. */
  attempts: number;
  /** The payment under way: its key and its token. */
  paying: { key: string; token: string } | null;
  /** Wishes by operation and key, with the answer where one is stored. */
  keys: Map<string, { wish: string; answer: string | null }>;
}

/** What the world says of a request, to be compared with the model. */
export interface Told {
  verdict: Verdict;
  /** The stored answer, where the request has one. */
  answer: string | null;
}

/** A token that pays, is declined, or needs the buyer. */
export type TokenKind = "pays" | "declined" | "needs_buyer";

/** The sessions of one grant. */
export class CheckoutModel {
  readonly sessions: ModelSession[] = [];

  /** A session that was made just now. */
  add(day: string, nowMs: number): void {
    this.sessions.push({
      status: "ready_for_payment",
      day,
      openUntilMs: nowMs + 3_600_000,
      attempts: 0,
      paying: null,
      keys: new Map(),
    });
  }

  /** The status of a session at a moment. */
  statusOf(session: ModelSession, nowMs: number): CheckoutStatus {
    const isLate = nowMs >= session.openUntilMs;
    return session.status === "ready_for_payment" && isLate
      ? "expired"
      : session.status;
  }

  /** What may come of a wish; several where a payment hangs in the air. */
  expect(
    session: ModelSession,
    wish: Wish,
    key: string,
    nowMs: number,
    kind: TokenKind = "pays",
  ): Verdict[] {
    const known = session.keys.get(`${wish.do} ${key}`);
    if (known !== undefined) {
      if (known.wish !== JSON.stringify(wish)) return ["conflict"];
      if (known.answer !== null) return ["replay"];
      return [...decided(kind), "uncertain", "in_flight", "expired"];
    }
    const status = this.statusOf(session, nowMs);
    if (status === "complete_in_progress") return ["not_now"];
    if (status !== "ready_for_payment") return ["no"];
    if (wish.do === "update") return ["ready_for_payment"];
    return wish.do === "cancel" ? ["canceled"] : decided(kind);
  }

  /** Takes down what came of a wish. */
  note(session: ModelSession, wish: Wish, key: string, told: Told): void {
    const { verdict, answer } = told;
    const passing: Verdict[] = ["conflict", "in_flight", "not_now", "crashed"];
    if (passing.includes(verdict)) return;
    const name = `${wish.do} ${key}`;
    const known = session.keys.get(name);
    if (verdict === "replay") {
      assertEquals(answer, known?.answer, "a replay is the first answer");
      return;
    }
    session.keys.set(name, { wish: JSON.stringify(wish), answer });
    if (verdict === "no") return;
    if (wish.do === "update") session.day = wish.day;
    if (wish.do === "cancel") this.move(session, "canceled");
    if (wish.do === "complete") this.#notePayment(session, wish, key, told);
  }

  #notePayment(
    session: ModelSession,
    { token }: Extract<Wish, { do: "complete" }>,
    key: string,
    { verdict }: Told,
  ): void {
    if (session.status === "ready_for_payment") {
      this.begin(session, { key, token });
    }
    if (verdict !== "uncertain") {
      this.decide(session, verdict === "completed");
    }
  }

  /** A payment has begun. */
  begin(session: ModelSession, paying: { key: string; token: string }): void {
    this.move(session, "complete_in_progress");
    session.attempts += 1;
    session.paying = paying;
  }

  /** The payment under way has ended. */
  decide(session: ModelSession, isPaid: boolean): void {
    this.move(session, isPaid ? "completed" : "ready_for_payment");
    session.paying = null;
  }

  /** Moves a session along an arrow. */
  move(session: ModelSession, to: CheckoutStatus): void {
    const { status } = session;
    assert(CHECKOUT_EDGES[status].includes(to), `${status} → ${to}`);
    session.status = to;
  }
}

function decided(kind: TokenKind): Verdict[] {
  if (kind === "pays") return ["completed"];
  return kind === "declined" ? ["ready_for_payment"] : ["requires_3ds"];
}
