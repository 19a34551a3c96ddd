import { assert, assertEquals } from "@std/assert";
import { addDays, dayOf } from "../../domain/day.ts";
import { METRICS_LEASE_MS } from "../../domain/paid_metrics/limits.ts";
import { grantToken, sdk } from "../simulators/stripe/support.ts";
import { cartOf, paymentOf } from "../support/checkout_calls.ts";
import { CHARGE, newBuyer } from "../support/checkout_world.ts";
import {
  type ChildService,
  type SharedService,
  shareService,
} from "../support/processes.ts";
import { settle, spotlight } from "../support/public_spotlights.ts";

/** A process behind an agent's token. */
type Post = (
  path: string,
  body: unknown,
  key: string,
) => Promise<{ status: number; body: Record<string, unknown> }>;

/** A day with a report and an agent that may buy it; answers its token. */
function prepare(shared: SharedService): Promise<string> {
  return shared.withStore(async (services) => {
    const day = addDays(dayOf(Date.now()), -1);
    await settle(services.store, spotlight(day));
    const { accessToken } = await newBuyer(services, "ada");
    return accessToken;
  });
}

function posting({ baseUrl }: ChildService, accessToken: string): Post {
  return async (path, body, key) => {
    const answer = await fetch(`${baseUrl}/checkout_sessions${path}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${accessToken}`,
        "api-version": "2026-04-17",
        "content-type": "application/json",
        "idempotency-key": key,
      },
      body: JSON.stringify(body),
    });
    return { status: answer.status, body: await answer.json() };
  };
}

async function newSession(post: Post): Promise<string> {
  const day = addDays(dayOf(Date.now()), -1);
  const { status, body } = await post("", cartOf(day), crypto.randomUUID());
  assertEquals(status, 201);
  return String(body["id"]);
}

/** A token that would pay for all attempts together. */
async function token({ simulator }: SharedService): Promise<string> {
  const stripe = sdk(simulator.port, "sk_test_two_processes");
  return (await grantToken(stripe, { maxAmount: 10_000 })).id;
}

function charges({ simulator }: SharedService): number {
  return simulator.control.objects("payment_intent")
    .filter(({ status }) => status === "succeeded").length;
}

/** Until a payment that was refused for the moment has been decided. */
async function untilDecided(ask: () => ReturnType<Post>) {
  for (;;) {
    const answer = await ask();
    if (answer.status === 200) return answer;
    assert([409, 503].includes(answer.status), `${answer.status}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

Deno.test("ten completes at once through two processes on one store make one charge", async () => {
  await using shared = await shareService();
  const accessToken = await prepare(shared);
  const both = [await shared.start(), await shared.start()];
  const posts = both.map((child) => posting(child, accessToken));
  const [one, two] = posts;
  assert(one && two);
  for (const keyOf of [() => "one key", (n: number) => `key-${n}`]) {
    const before = charges(shared);
    const id = await newSession(one);
    const body = paymentOf(await token(shared));
    const pay = (n: number) =>
      (n % 2 ? one : two)(`/${id}/complete`, body, keyOf(n));
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => pay(n)),
    );
    const statuses = answers.map(({ status }) => status);
    assert(
      statuses.every((status) => [200, 409, 503].includes(status)),
      `${statuses}`,
    );
    // Whoever was told to come again goes on with the payment.
    const won = Math.max(statuses.indexOf(200), statuses.indexOf(503));
    const { body: paid } = await untilDecided(() => pay(Math.max(won, 0)));
    assertEquals(paid["status"], "completed");
    assertEquals(charges(shared) - before, 1);
  }
  await Promise.all(both.map((child) => child.stop()));
  await shared.withStore(async ({ store }) => {
    assertEquals((await store.listLedger({ limit: 9 })).length, 2);
  });
});

for (const kind of ["hold", "timeout_after_effect"] as const) {
  const when = kind === "hold" ? "before" : "after";
  Deno.test(`kill -9 while a report is paid for, ${when} the effect: the same request ends it with one charge`, async () => {
    await using shared = await shareService();
    const accessToken = await prepare(shared);
    const doomed = await shared.start();
    const post = posting(doomed, accessToken);
    const id = await newSession(post);
    const body = paymentOf(await token(shared));
    const { control } = shared.simulator;
    control.addFault({ kind, ...CHARGE });
    const lost = post(`/${id}/complete`, body, "k").catch(() => null);
    while (control.faults().some(({ struck }) => struck === 0)) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await doomed.kill();
    assertEquals(await lost, null);
    control.clearFaults();
    control.releaseRequests();
    // The next process comes once the dead one's lease has run out.
    const next = await shared.start({ clockAheadMs: METRICS_LEASE_MS });
    const again = posting(next, accessToken);
    const other = await again(`/${id}/cancel`, {}, "k");
    assertEquals([other.status, other.body["code"]], [
      409,
      "payment_in_progress",
    ]);
    const { body: paid } = await untilDecided(() =>
      again(`/${id}/complete`, body, "k")
    );
    assertEquals(paid["status"], "completed");
    assertEquals(charges(shared), 1);
    await next.stop();
    await shared.withStore(async ({ store }) => {
      assertEquals((await store.listLedger({ limit: 9 })).length, 1);
    });
  });
}
