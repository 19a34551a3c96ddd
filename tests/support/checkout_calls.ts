import { assertEquals } from "@std/assert";
import type { Ask, Buyer } from "./checkout_world.ts";
import { DAY } from "./checkout_world.ts";

/** A session as far as tests look into it. */
export interface SeenSession {
  id: string;
  status: string;
  line_items: { id: string }[];
  messages: { type: string; code?: string; content: string }[];
  order?: {
    id: string;
    checkout_session_id: string;
    permalink_url: string;
    status: string;
    adjustments?: { status: string }[];
  };
  created_at: string;
  updated_at: string;
  expires_at: string;
}

/** The three members of a request for a session. */
export function cartOf(
  day: string = DAY,
  changes: Record<string, unknown> = {},
): Record<string, unknown> {
  return {
    line_items: [{ id: `metrics:${day}` }],
    currency: "eur",
    capabilities: {},
    ...changes,
  };
}

/** The body that pays with a token. */
export function paymentOf(token: unknown): Record<string, unknown> {
  return {
    payment_data: {
      handler_id: "card_spt",
      instrument: { type: "card", credential: { type: "spt", token } },
    },
  };
}

/** Makes a session and answers it. */
export async function newSession(
  ask: Ask,
  as: Buyer,
  day: string = DAY,
  key = "create-1",
): Promise<SeenSession> {
  const answer = await ask("/checkout_sessions", {
    as,
    key,
    body: cartOf(day),
  });
  assertEquals(answer.status, 201);
  return await answer.json();
}

/** Pays for a session. */
export function pay(
  ask: Ask,
  as: Buyer,
  { id }: Pick<SeenSession, "id">,
  token: string,
  key = "complete-1",
): Promise<Response> {
  const body = paymentOf(token);
  return ask(`/checkout_sessions/${id}/complete`, { as, key, body });
}

/** Reads a session. */
export async function see(
  ask: Ask,
  as: Buyer,
  { id }: Pick<SeenSession, "id">,
): Promise<SeenSession> {
  const answer = await ask(`/checkout_sessions/${id}`, { as });
  assertEquals(answer.status, 200);
  return await answer.json();
}

/** Replaces the day of a session. */
export function replace(
  ask: Ask,
  as: Buyer,
  { id }: Pick<SeenSession, "id">,
  day: string,
  key = "update-1",
): Promise<Response> {
  const body = { line_items: [{ id: `metrics:${day}` }] };
  return ask(`/checkout_sessions/${id}`, { as, key, body });
}

/** Cancels a session. */
export function cancel(
  ask: Ask,
  as: Buyer,
  { id }: Pick<SeenSession, "id">,
  key = "cancel-1",
): Promise<Response> {
  return ask(`/checkout_sessions/${id}/cancel`, { as, key, body: {} });
}

/** Asks for what a session bought. */
export function report(
  ask: Ask,
  as: Buyer,
  { id }: Pick<SeenSession, "id">,
): Promise<Response> {
  return ask(`/checkout_sessions/${id}/resource`, { as });
}

/** Status and code of an error of the protocol. */
export async function codeOf(answer: Response): Promise<string> {
  const { code } = await answer.json();
  return `${answer.status} ${code}`;
}
