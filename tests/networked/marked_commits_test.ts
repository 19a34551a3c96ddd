/**
 * The marks with the client of the platform itself, which sends commits again.
 *
 * @module
 */
import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  OutcomeUnknown,
  StoreUnavailable,
  TemporaryFailure,
} from "../../domain/failure.ts";
import { openKv } from "../../kv/open.ts";
import { createStore } from "../../kv/store.ts";
import { bump, day } from "../kv/records.ts";
import { ManualClock } from "../support/clock.ts";
import { startKvConnect, TEST_TOKEN } from "../support/kv_connect/server.ts";
import type { Settings } from "../support/kv_connect/settings.ts";
import { testPatience } from "../support/store.ts";

Deno.env.set("DENO_KV_ACCESS_TOKEN", TEST_TOKEN);

const today = day("2026-11-20");
const FAMILY = "job_runs";

/** Longer than a busy machine takes for a call, and soon given up. */
const [PATIENT_MS, IMPATIENT_MS] = [20_000, 100];

/** A process over a server, and how its transactions went. */
async function openProcess(settings: Partial<Settings> = {}) {
  const server = startKvConnect();
  const kv = await openKv(server.url);
  server.change({ faultFamily: FAMILY, ...settings });
  const retries: string[] = [];
  const patience = { ...testPatience(), callMs: PATIENT_MS };
  const store = createStore({
    kv,
    clock: new ManualClock(),
    patience,
    onRetry: (why) => retries.push(why),
  });
  return {
    server,
    store,
    patience,
    retries,
    bump: (beforeCommit?: () => void) => bump(store, beforeCommit),
    async effects() {
      const [run, count] = await store.getMany([
        store.jobRuns.ref("a"),
        store.bidCounts.ref(today),
      ]);
      return [run?.lastSuccessMs ?? 0, count ?? 0] as const;
    },
    async [Symbol.asyncDispose]() {
      kv.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

for (const fault of ["shareResetAfter", "shareBrokenBody"] as const) {
  Deno.test(`over a network a commit whose answer is lost is known as our own (${fault})`, async () => {
    await using process = await openProcess({ [fault]: 1, faultsLeft: 1 });
    await process.bump();
    assertEquals(await process.effects(), [1, 1]);
    assertEquals(process.retries, []);
    const { settings, trace } = process.server;
    assertEquals(settings.faultsLeft, 0);
    // The reset was followed by the client's own repeat; what broke off was not.
    const answers = trace.filter(({ method }) => method === "atomic_write")
      .map(({ outcome }) => outcome);
    assertEquals(
      answers,
      fault === "shareResetAfter"
        ? ["reset_after", "check_failed"]
        : ["broken_body", "check_failed"],
    );
  });
}

Deno.test("over a network a commit that was given up is sent for ever and never applies", async () => {
  await using process = await openProcess({ shareResetBefore: 1 });
  const { patience, server } = process;
  const giveUpSoon = () => void (patience.callMs = IMPATIENT_MS);
  await assertRejects(() => process.bump(giveUpSoon), TemporaryFailure);
  patience.callMs = PATIENT_MS;
  assertEquals(await untilTold(process.effects), [0, 0]);
  server.change({ shareResetBefore: 0 });
  // The client sends it again by itself, a quarter of a second later.
  while (!server.trace.some(({ outcome }) => outcome === "check_failed")) {
    await process.effects();
  }
  assertEquals(await process.effects(), [0, 0]);
  await process.bump();
  assertEquals(await process.effects(), [1, 1]);
});

for (const outage of ["503", "reset", "hang"] as const) {
  Deno.test(`after an outage by ${outage} whoever asks is told what became of the commit, and nothing changes after that`, async () => {
    await using process = await openProcess();
    const { patience, server } = process;
    const outcome = process.bump(() => {
      patience.callMs = IMPATIENT_MS;
      server.change({ outage });
    });
    await assertRejects(() => outcome, OutcomeUnknown);
    await assertRejects(process.effects, StoreUnavailable);
    patience.callMs = PATIENT_MS;
    server.change({ outage: "none" });
    // Nothing is told before it is settled, and nothing changes after that.
    const told = await untilTold(process.effects);
    for (let n = 0; n < 50; n++) assertEquals(await process.effects(), told);
    assert(told[0] === told[1] && told[1] <= 1, `${told}`);
  });
}

async function untilTold<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    const told = await ask().catch(() => null);
    if (told !== null) return told;
    // What is refused at once leaves the line no time to come back.
    await new Promise((resolve) => setImmediate(resolve));
  }
}
