import { assertEquals } from "@std/assert";
import { createGrant } from "../../tools/demo/create_grant.ts";
import type { FaultOrder } from "../../simulators/stripe/mod.ts";
import {
  type Ask,
  type Buyer,
  CHARGE,
  type CheckoutWorld,
  DAY,
  DAYS,
} from "./checkout_world.ts";

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

/** A session of ada's that waits for its payment. */
export async function waiting(
  world: CheckoutWorld,
): Promise<{ ada: Buyer; session: SeenSession }> {
  const ada = await world.buyer("ada");
  return { ada, session: await newSession(world.ask, ada) };
}

/** The reasons of the books, each entry balanced. */
export async function bookings({ services }: CheckoutWorld): Promise<string[]> {
  const entries = await services.store.listLedger({ limit: 99 });
  for (const { lines } of entries) {
    assertEquals(
      lines.reduce((sum, { amountCents }) => sum + amountCents, 0),
      0,
    );
  }
  return entries.map(({ reason }) => reason);
}

/** Lets time pass and has the user consent to the agent again. */
export async function refresh(
  { services, world }: CheckoutWorld,
  who: Buyer,
  ms: number,
): Promise<void> {
  world.clock.advance(ms);
  const { accessToken } = await createGrant(services, who.grant);
  who.accessToken = accessToken;
}

/** A payment of ada's on its way. */
export interface OnItsWay {
  ada: Buyer;
  session: SeenSession;
  token: string;
}

/** A payment of ada's that has reached the processor, which holds it. */
export async function payHeld(
  world: CheckoutWorld,
  fault: FaultOrder = { kind: "hold" },
): Promise<OnItsWay & { paying: Promise<Response> }> {
  const { control } = world.world.simulator;
  const { ada, session } = await waiting(world);
  const token = await world.token();
  control.addFault({ ...fault, ...CHARGE });
  const paying = pay(world.ask, ada, session, token);
  while (control.heldRequests === 0) await new Promise((go) => setTimeout(go));
  return { ada, session, token, paying };
}

/** A payment of ada's that was answered 503 because of a fault. */
export async function payUncertain(
  world: CheckoutWorld,
  kind: FaultOrder["kind"],
): Promise<OnItsWay> {
  const { ada, session } = await waiting(world);
  const token = await world.token();
  world.world.simulator.control.addFault({ kind, ...CHARGE });
  const answer = await pay(world.ask, ada, session, token);
  assertEquals(await codeOf(answer), "503 payment_uncertain");
  return { ada, session, token };
}

/** Asserts that all else is 409 while a payment is under way. */
export async function onlyTheSameGoesOn(
  world: CheckoutWorld,
  ada: Buyer,
  session: SeenSession,
  token: string,
): Promise<void> {
  const { ask } = world;
  const other = await world.token();
  const refused: [Promise<Response>, string][] = [
    [pay(ask, ada, session, other, "k2"), "payment_in_progress"],
    [pay(ask, ada, session, token, "k3"), "payment_in_progress"],
    [pay(ask, ada, session, other), "idempotency_conflict"],
    [cancel(ask, ada, session), "payment_in_progress"],
    [replace(ask, ada, session, DAYS[0]), "session_frozen"],
    [report(ask, ada, session), "payment_required"],
  ];
  for (const [asked, code] of refused) {
    assertEquals(await codeOf(await asked), `409 ${code}`);
  }
}
