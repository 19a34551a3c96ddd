/** Payers of figures and several processes over one store and one processor. */
import { assert, assertEquals } from "@std/assert";
import { addDays, dayOf } from "../../domain/day.ts";
import { METRICS_LEASE_MS } from "../../domain/paid_metrics/limits.ts";
import { grantToken, sdk } from "../simulators/stripe/support.ts";
import { challengeIn, credential, outcomeOf } from "../support/paid_world.ts";
import { seen } from "../support/captured_logs.ts";
import {
  type ChildService,
  type SharedService,
  shareService,
} from "../support/processes.ts";
import { settle, spotlight } from "../support/public_spotlights.ts";
import { until } from "../support/until.ts";

const DAY = addDays(dayOf(Date.now()), -1);

Deno.test("20 presentations at two processes make one payment and one 200", async () => {
  await using shared = await sharedShop();
  const both = [await shared.start(), await shared.start()];
  const authorization = await offer(shared, both[0]);
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, (_, n) => present(both[n % 2], authorization)),
  );
  assertEquals(outcomes.filter((one) => one === "200").length, 1);
  for (const outcome of outcomes) {
    const wanted = ["200", "402 invalid-challenge"];
    assert(
      wanted.includes(outcome) || outcome.startsWith("503 "),
      outcome,
    );
  }
  const { control } = shared.simulator;
  const intents = control.objects("payment_intent");
  assertEquals(intents.map(({ status }) => status), ["succeeded"]);
  for (const child of both) {
    const again = await present(child, authorization);
    assertEquals(again, "402 invalid-challenge");
  }
});

for (const kind of ["hold", "timeout_after_effect"] as const) {
  const when = kind === "hold" ? "before" : "after";
  Deno.test(`kill -9 while the processor is asked, ${when} its effect, ends in one charge and one answer`, async () => {
    await using shared = await sharedShop();
    const doomed = await shared.start();
    const authorization = await offer(shared, doomed);
    const { control } = shared.simulator;
    control.addFault({ kind, method: "POST", path: "/v1/payment_intents" });
    const cut = present(doomed, authorization).catch(() => "cut off");
    await until(() => control.faults().every(({ struck }) => struck > 0));
    await doomed.kill();
    assertEquals(await cut, "cut off");
    control.clearFaults();
    control.releaseRequests();
    // The next process comes once the dead one's lease has run out.
    const next = await shared.start({ clockAheadMs: METRICS_LEASE_MS + 1_000 });
    assertEquals(await present(next, authorization), "200");
    const again = await present(next, authorization);
    assertEquals(again, "402 invalid-challenge");
    const charges = control.objects("charge");
    assertEquals(charges.map(({ amount }) => amount), [100]);
  });
}

async function sharedShop(): Promise<SharedService> {
  const shared = await shareService();
  await shared.withStore(({ store }) => settle(store, spotlight(DAY)));
  return shared;
}

/** A credential that pays for the day's figures. */
async function offer(
  { simulator }: SharedService,
  child: ChildService | undefined,
): Promise<string> {
  const answer = await fetch(addressAt(child));
  await answer.body?.cancel();
  const stripe = sdk(simulator.port, "sk_test_two_processes");
  const { id: spt } = await grantToken(stripe, { maxAmount: 500 });
  seen.add("payment credential", spt);
  return credential(challengeIn(answer), { spt });
}

async function present(
  child: ChildService | undefined,
  authorization: string,
): Promise<string> {
  const headers = { authorization };
  return await outcomeOf(await fetch(addressAt(child), { headers }));
}

function addressAt(child: ChildService | undefined): string {
  return `${child?.baseUrl}/api/v1/spotlights/${DAY}/metrics`;
}
