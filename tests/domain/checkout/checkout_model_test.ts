import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { completeSession } from "../../../domain/checkout/complete_session.ts";
import { readReport } from "../../../domain/checkout/read_report.ts";
import { readSession } from "../../../domain/checkout/read_session.ts";
import type { Reply } from "../../../domain/checkout/reply.ts";
import {
  cancelSession,
  updateSession,
} from "../../../domain/checkout/change_session.ts";
import { requestHash } from "../../../domain/idempotency/canonical_json.ts";
import type { Services } from "../../../domain/ports.ts";
import { Refused } from "../../../domain/refusal.ts";
import {
  type Buyer,
  CHARGE,
  type CheckoutWorld,
  DAYS,
  openCheckoutWorld,
} from "../../support/checkout_world.ts";
import { type CrashPoint, isCrash, MISHAPS } from "../../support/faults.ts";
import { dayText } from "../../support/public_spotlights.ts";
import {
  CheckoutModel,
  type ModelSession,
  type TokenKind,
  type Told,
  type Verdict,
  type Wish,
} from "./checkout_model.ts";
import { create } from "./requests.ts";

const KINDS: readonly TokenKind[] = ["pays", "declined", "needs_buyer"];
const CARDS: Readonly<Record<TokenKind, string>> = {
  pays: "pm_card_visa",
  declined: "pm_card_chargeDeclined",
  needs_buyer: "pm_card_authenticationRequired",
};
/** Faults after which nobody knows. */
const FAULTS = [
  "timeout_after_effect",
  "error_after_effect",
  "reset_after_effect",
  "reset_before_effect",
  "error_before_effect",
  "rate_limit",
] as const;

const which = fc.nat(2);
const key = fc.nat(3).map((n) => `k${n}`);

const step = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("create" as const), day: which }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("update" as const),
      session: which,
      day: which,
      key,
    }),
  },
  {
    weight: 10,
    arbitrary: fc.record({
      do: fc.constant("complete" as const),
      session: which,
      token: fc.nat(5),
      key,
      fault: fc.option(fc.constantFrom(...FAULTS), { freq: 2 }),
      crash: fc.option(
        fc.record({
          commit: fc.integer({ min: 1, max: 2 }),
          when: fc.constantFrom(...MISHAPS),
        }),
        { freq: 4 },
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("cancel" as const),
      session: which,
      key,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("wait" as const),
      ms: fc.constantFrom(1_000, 46_000, 10 * 60_000, 55 * 60_000),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("sweep" as const) }) },
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type StepOf<Do extends Step["do"]> = Extract<Step, { do: Do }>;

/** One run: the world, the model beside it and what belongs together. */
interface Run {
  world: CheckoutWorld;
  model: CheckoutModel;
  ada: Buyer;
  ids: string[];
  tokens: { text: string; kind: TokenKind }[];
}

Deno.test("a checkout does what the model says, whatever happens, and charges a session once", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      await using world = await openCheckoutWorld();
      const run = await begin(world);
      for (const each of steps) {
        await take(run, each);
        await check(run);
      }
      await settleAll(run);
    }),
    { numRuns: 60 },
  );
});

async function begin(world: CheckoutWorld): Promise<Run> {
  const ada = await world.buyer("ada");
  const tokens = [];
  for (let n = 0; n < 6; n++) {
    const kind = KINDS[n % 3] ?? "pays";
    const grant = { card: CARDS[kind], maxAmount: 10_000 };
    tokens.push({ text: await world.token(grant), kind });
  }
  const run: Run = { world, model: new CheckoutModel(), ada, ids: [], tokens };
  await make(run, 0);
  return run;
}

async function make({ world, model, ada, ids }: Run, day: number) {
  const text = DAYS[day] ?? DAYS[0];
  ids.push(await create(world.services, ada, text, `create-${ids.length}`));
  model.add(text, world.world.clock.now());
}

async function take(run: Run, step: Step): Promise<void> {
  const { world, ids } = run;
  switch (step.do) {
    case "create":
      return ids.length < 3 ? await make(run, step.day) : undefined;
    case "wait":
      return world.world.clock.advance(step.ms);
    case "sweep":
      await world.sweep();
      return await catchUp(run);
    default:
      return await wishFor(run, step);
  }
}

async function wishFor(
  run: Run,
  step: StepOf<"update" | "complete" | "cancel">,
): Promise<void> {
  const { world, model, ids, tokens } = run;
  const nth = step.session % ids.length;
  const [session, id] = [model.sessions[nth], ids[nth]];
  assert(session && id);
  const token = step.do === "complete" ? tokens[step.token] : undefined;
  const wish = wishOf(step, token?.text ?? "");
  const nowMs = world.world.clock.now();
  const expected = model.expect(session, wish, step.key, nowMs, token?.kind);
  const { control } = world.world.simulator;
  if (step.do === "complete" && step.fault !== null) {
    control.addFault({ kind: step.fault, saved: false, ...CHARGE });
    expected.push("uncertain");
  }
  const crash = step.do === "complete" ? step.crash : null;
  // A time-out is not waited for longer than a test likes to.
  const isSilent = step.do === "complete" &&
    step.fault === "timeout_after_effect";
  const told = await ask(run, id, wish, step.key, { crash, isSilent });
  control.clearFaults();
  if (told.verdict === "crashed") {
    return await catchUp(run, { session, wish, key: step.key });
  }
  const seen = told.verdict === "ready_for_payment" &&
      model.statusOf(session, nowMs) === "expired"
    ? "expired"
    : told.verdict;
  assert(expected.includes(seen), `${seen}, expected ${expected}`);
  model.note(session, wish, step.key, told);
}

function wishOf(
  step: StepOf<"update" | "complete" | "cancel">,
  token: string,
): Wish {
  if (step.do === "cancel") return { do: "cancel" };
  if (step.do === "complete") return { do: "complete", token };
  return { do: "update", day: DAYS[step.day] ?? DAYS[0] };
}

async function ask(
  { world, ada }: Run,
  sessionId: string,
  wish: Wish,
  key: string,
  { crash, isSilent }: { crash: CrashPoint | null; isSilent: boolean },
): Promise<Told> {
  const other = world.another();
  if (crash !== null) other.kv.crashAt(crash);
  const { processor } = isSilent ? world.impatient : other.services;
  const hash = requestHash({ ...wish });
  const grantId = ada.grant.id;
  const request = { grantId, key, requestHash: hash, sessionId };
  try {
    return toldBy(await send({ ...other.services, processor }, request, wish));
  } catch (error) {
    if (isCrash(error)) return { verdict: "crashed", answer: null };
    if (error instanceof Refused) {
      return { verdict: verdictOf(error), answer: null };
    }
    throw error;
  }
}

function send(
  services: Services,
  request: Parameters<typeof cancelSession>[1],
  wish: Wish,
): Promise<Reply> {
  if (wish.do === "cancel") return cancelSession(services, request);
  return wish.do === "complete"
    ? completeSession(services, { ...request, token: wish.token })
    : updateSession(services, { ...request, day: dayText(wish.day) });
}

function toldBy({ answer, replayed }: Reply): Told {
  const text = JSON.stringify(answer);
  if (replayed) return { verdict: "replay", answer: text };
  const body = JSON.parse(answer.body);
  if (body.code === "requires_3ds") {
    return { verdict: "requires_3ds", answer: text };
  }
  return { verdict: answer.status === 200 ? body.status : "no", answer: text };
}

function verdictOf({ refusal }: Refused): Verdict {
  if (refusal.code === "idempotency_conflict") return "conflict";
  if (refusal.code === "idempotency_in_flight") return "in_flight";
  assert(refusal.code === "checkout_refused", refusal.code);
  if (refusal.why.kind === "payment_uncertain") return "uncertain";
  assertEquals(refusal.why.kind, "not_allowed");
  return "not_now";
}

/**
 * After a crash or a sweep the model learns from the store how far things got;
 * it moves along its arrows, and what is stored has to hold together.
 */
async function catchUp(
  { world, model, ada, ids }: Run,
  crashed?: { session: ModelSession; wish: Wish; key: string },
): Promise<void> {
  const { store } = world.services;
  for (const [nth, session] of model.sessions.entries()) {
    const id = ids[nth] ?? "";
    const row = await store.checkoutSessions.find(id);
    assert(row);
    if (row.attempts > session.attempts) {
      assert(crashed?.session === session && crashed.wish.do === "complete");
      const { key, wish } = crashed;
      model.begin(session, { key, token: wish.token });
    }
    assertEquals(row.attempts, session.attempts);
    const operation = `POST /checkout_sessions/${id}/complete`;
    const answerOf = async (key: string) =>
      (await store.idempotency.find(ada.grant.id, operation, key))?.answer ??
        null;
    await learn(model, session, row.status, answerOf);
    if (crashed?.session !== session) continue;
    // A no may have been stored before the crash.
    const { key, wish } = crashed;
    const answer = await answerOf(key);
    if (answer === null || session.keys.has(`complete ${key}`)) continue;
    assertEquals(answer.status, 409);
    session.keys.set(`complete ${key}`, {
      wish: JSON.stringify(wish),
      answer: JSON.stringify(answer),
    });
  }
}

async function learn(
  model: CheckoutModel,
  session: ModelSession,
  status: string,
  answerOf: (key: string) => Promise<unknown>,
): Promise<void> {
  if (session.paying === null) return;
  const { key, token } = session.paying;
  const wish: Wish = { do: "complete", token };
  const answer = await answerOf(key);
  const text = answer === null ? null : JSON.stringify(answer);
  session.keys.set(`complete ${key}`, {
    wish: JSON.stringify(wish),
    answer: text,
  });
  assertEquals(text === null, status === "complete_in_progress");
  if (text !== null) model.decide(session, status === "completed");
}

/** What holds after every step. */
async function check({ world, model, ada, ids }: Run): Promise<void> {
  const { services } = world;
  const nowMs = world.world.clock.now();
  for (const [nth, session] of model.sessions.entries()) {
    const asked = { grantId: ada.grant.id, sessionId: ids[nth] ?? "" };
    const body = await readSession(services, asked);
    const status = model.statusOf(session, nowMs);
    assertEquals(body["status"], status);
    assertEquals("order" in body, status === "completed");
    const charges = world.paid().filter((each) =>
      each["checkout_session_id"] === asked.sessionId
    );
    assert(charges.length <= 1, "a session is charged once at most");
    if (status === "completed") assertEquals(charges[0]?.["day"], session.day);
    else if (status !== "complete_in_progress") assertEquals(charges, []);
    const report = await readReport(services, asked).catch((error) => error);
    assertEquals(report instanceof Refused, status !== "completed");
  }
  await checkBooks(world, model);
}

async function checkBooks(
  { services }: CheckoutWorld,
  model: CheckoutModel,
): Promise<void> {
  const ledger = await services.store.listLedger({ limit: 99 });
  const done = model.sessions.filter(({ status }) => status === "completed");
  assertEquals(ledger.length, done.length, "one entry a sale");
  const lines = ledger.flatMap((entry) => entry.lines);
  assertEquals(lines.reduce((sum, line) => sum + line.amountCents, 0), 0);
}

/** Two hours and some sweeps later nothing hangs in the air. */
async function settleAll(run: Run): Promise<void> {
  for (let n = 0; n < 4; n++) {
    run.world.world.clock.advance(35 * 60_000);
    await run.world.sweep();
    await catchUp(run);
    await check(run);
  }
  for (const { status } of run.model.sessions) {
    assert(status !== "complete_in_progress", "every payment is decided");
  }
}
