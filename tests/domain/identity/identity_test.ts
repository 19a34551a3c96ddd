import { assert, assertEquals, assertRejects } from "@std/assert";
import { ProcessorUncertain } from "../../../domain/failure.ts";
import {
  IDENTITY_TRIES_A_DAY,
  IDENTITY_TRIES_FREE,
} from "../../../domain/identity/identity_check.ts";
import { syncIdentity } from "../../../domain/identity/sync_identity.ts";
import {
  sweepIdentities,
  syncLastIdentity,
} from "../../../domain/identity/sweep_identities.ts";
import { startIdentityCheck } from "../../../domain/identity/start_identity_check.ts";
import type { Services } from "../../../domain/ports.ts";
import {
  type AuctionWorld,
  openAuctionWorld,
} from "../../support/auction_world.ts";
import { crashingProcessor } from "../../support/crashing_processor.ts";
import { isCrash } from "../../support/faults.ts";
import { assertRefused } from "../../support/refused.ts";
import { submit } from "../../simulators/stripe/browser.ts";
import { readyAccount } from "../../support/identity_ready.ts";
import { liveSession, saveSession } from "../../support/sessions.ts";

const DAY_MS = 86_400_000;
const accountId = "acc_ada";

async function opened(): Promise<AuctionWorld> {
  const world = await openAuctionWorld();
  await world.services.store.transact((tx) => {
    tx.accounts.save(readyAccount(accountId, "ada@example.com"));
    tx.accounts.save(readyAccount("acc_eve", "eve@example.com"));
  });
  await saveSession(world.services, accountId);
  return world;
}

/** The browser of whoever begins, which {@linkcode opened} signs in. */
const by = { session: liveSession(accountId) };

/** Counts nothing. */
const admit = () => Promise.resolve();

async function start(world: AuctionWorld, owner = accountId): Promise<string> {
  const { services } = world;
  const { url } = await startIdentityCheck(services, {
    accountId: owner,
    by,
    admit,
  });
  return url ?? "";
}

const choose = (url: string, choice: string, error = "document_expired") =>
  submit(url, { choice, error });

const look = ({ services }: { services: Services }) =>
  syncLastIdentity(services, { accountId });

async function statusOf({ services }: AuctionWorld, owner = accountId) {
  const account = await services.store.accounts.find(owner);
  return account?.identityStatus;
}

async function checkOf({ services }: AuctionWorld) {
  return await services.store.identityChecks.find(accountId);
}

async function sessions({ stripe }: AuctionWorld): Promise<string[]> {
  const { data } = await stripe.identity.verificationSessions.list();
  return data.map(({ id }) => id);
}

Deno.test("an identity is verified when its person comes back, though no event came", async () => {
  await using world = await opened();
  const { location } = await choose(await start(world), "verify");
  assertEquals(location, "https://spotlight.example/identity/return");
  assertEquals(await statusOf(world), "unverified");
  await look(world);
  assertEquals(await statusOf(world), "verified");
  const check = await checkOf(world);
  assertEquals(check?.verified?.atMs, world.clock.now());
  assertEquals([check?.verified?.sessionId], await sessions(world));
  assertEquals(check?.lookDueAtMs, null);
});

Deno.test("an identity is verified by the event, and by the job, though nobody came back", async () => {
  await using world = await opened();
  await choose(await start(world), "process");
  const [id = ""] = await sessions(world);
  await syncIdentity(world.services, id);
  assertEquals((await checkOf(world))?.status, "processing");
  const { url } = await startIdentityCheck(world.services, {
    accountId,
    by,
    admit,
  });
  await choose(url ?? "", "verify");
  world.clock.advance(14 * 60_000);
  await sweepIdentities(world.services);
  assertEquals(await statusOf(world), "unverified");
  world.clock.advance(60_000);
  await sweepIdentities(world.services);
  assertEquals(await statusOf(world), "verified");
});

Deno.test("a check that failed says why, and another may be tried", async () => {
  await using world = await opened();
  await choose(await start(world), "fail", "selfie_face_mismatch");
  await look(world);
  const failed = await checkOf(world);
  assertEquals([failed?.status, failed?.lastErrorCode], [
    "requires_input",
    "selfie_face_mismatch",
  ]);
  const url = await start(world);
  const begun = await checkOf(world);
  assertEquals([begun?.status, begun?.lastErrorCode], [null, null]);
  await choose(url, "verify");
  await look(world);
  assertEquals(await statusOf(world), "verified");
});

Deno.test("a check that was left or cancelled verifies nobody", async () => {
  await using world = await opened();
  await start(world);
  await look(world);
  const left = await checkOf(world);
  assertEquals([left?.status, left?.lastErrorCode], ["requires_input", null]);
  await choose(await start(world), "cancel");
  await look(world);
  assertEquals((await checkOf(world))?.status, "canceled");
  assertEquals(await statusOf(world), "unverified");
});

Deno.test("nothing that comes later takes a verification back", async () => {
  await using world = await opened();
  const first = await start(world);
  const second = await start(world);
  await choose(second, "verify");
  await look(world);
  await choose(first, "fail");
  for (const id of await sessions(world)) {
    await syncIdentity(world.services, id);
  }
  assertEquals(await statusOf(world), "verified");
  const check = await checkOf(world);
  assertEquals(check?.status, "verified", "an earlier try is of no interest");
  const verifiedAtMs = check?.verified?.atMs;
  world.clock.advance(60_000);
  await look(world);
  assertEquals((await checkOf(world))?.verified?.atMs, verifiedAtMs);
});

Deno.test("an earlier try that is verified after a later began counts as well", async () => {
  await using world = await opened();
  const first = await start(world);
  await start(world);
  await choose(first, "verify");
  for (const id of await sessions(world)) {
    await syncIdentity(world.services, id);
  }
  assertEquals(await statusOf(world), "verified");
});

Deno.test("a check verifies the account that began it and no other", async () => {
  await using world = await opened();
  await choose(await start(world, "acc_eve"), "verify");
  const foreign = await world.stripe.identity.verificationSessions.create({
    type: "document",
  });
  const unknown = await world.stripe.identity.verificationSessions.create({
    type: "document",
    metadata: { account_id: "acc_unknown" },
  });
  for (
    const id of [...await sessions(world), foreign.id, unknown.id, "vs_no"]
  ) {
    await syncIdentity(world.services, id);
  }
  assertEquals(await statusOf(world), "unverified");
  assertEquals(await statusOf(world, "acc_eve"), "verified");
});

Deno.test("who is verified begins no further check", async () => {
  await using world = await opened();
  await choose(await start(world), "verify");
  await look(world);
  assertEquals(await start(world), "");
  assertEquals((await sessions(world)).length, 1);
});

Deno.test("an account begins five checks a day at most", async () => {
  await using world = await opened();
  for (let nth = 0; nth < IDENTITY_TRIES_A_DAY; nth++) {
    await start(world);
    world.clock.advance(60_000);
  }
  const again = () => start(world);
  const { retryAfterS } = await assertRefused(again, "tries_exhausted");
  assertEquals(retryAfterS, DAY_MS / 1_000 - IDENTITY_TRIES_A_DAY * 60);
  world.clock.advance(retryAfterS * 1_000);
  await start(world);
  assertEquals((await sessions(world)).length, IDENTITY_TRIES_A_DAY + 1);
});

Deno.test("an account begins fifteen checks, and one a month from then on", async () => {
  await using world = await opened();
  for (let nth = 0; nth < IDENTITY_TRIES_FREE; nth++) {
    await start(world);
    world.clock.advance(DAY_MS / IDENTITY_TRIES_A_DAY);
  }
  const waitS = async () =>
    (await assertRefused(() => start(world), "tries_exhausted")).retryAfterS;
  const left = await waitS();
  assertEquals(left, (30 - 1 / IDENTITY_TRIES_A_DAY) * DAY_MS / 1_000);
  world.clock.advance(left * 1_000 - 1);
  await waitS();
  world.clock.advance(1);
  await start(world);
  assertEquals(await waitS(), 30 * DAY_MS / 1_000);
  assertEquals((await checkOf(world))?.count, IDENTITY_TRIES_FREE + 1);
});

const CLAIMED = {
  vatId: "DE123456789",
  outcome: "valid",
  atMs: 0,
  consultation: null,
  failures: 0,
  dueAtMs: 0,
} as const;

for (
  const [what, changes, reasons] of [
    ["company", { company: null, vatStatus: "unverified" }, [
      "onboarding_incomplete",
      "vat_unverified",
    ]],
    ["registered VAT id", { vatStatus: "unverified" }, ["vat_unverified"]],
    ["card", { defaultPaymentMethodId: null }, ["no_payment_method"]],
    ["way out of a suspension", { suspendedAtMs: 1 }, ["suspended"]],
    ["missing step", { vatStatus: "unverified", vatCheck: CLAIMED }, null],
  ] as const
) {
  Deno.test(`a check, which is paid for, ${reasons === null ? "begins" : "does not begin"} without a ${what}`, async () => {
    await using world = await opened();
    await world.services.store.transact((tx) => {
      const account = readyAccount(accountId, "ada@example.com");
      tx.accounts.save({ ...account, ...changes });
    });
    let charged = 0;
    const asked = { accountId, by, admit: async () => void await ++charged };
    const begin = () => startIdentityCheck(world.services, asked);
    if (reasons === null) await begin();
    else {
      const refusal = await assertRefused(begin, "human_step_required");
      assertEquals(refusal.reasons, reasons);
    }
    assertEquals((await sessions(world)).length, reasons === null ? 1 : 0);
    assertEquals(charged, reasons === null ? 1 : 0, "others' budget");
  });
}

Deno.test("a check that is not admitted is neither begun nor opened by the job", async () => {
  await using world = await opened();
  const admit = () => Promise.reject(new Error("not now"));
  const begin = () =>
    startIdentityCheck(world.services, { accountId, by, admit });
  await assertRejects(begin, Error, "not now");
  world.clock.advance(DAY_MS);
  await sweepIdentities(world.services);
  assertEquals(await sessions(world), []);
  assertEquals(await checkOf(world), null);
});

Deno.test("parallel beginnings never pass the bound", async () => {
  await using world = await opened();
  const other = world.another().services;
  const all = await Promise.allSettled(
    Array.from(
      { length: 8 },
      (_, at) =>
        startIdentityCheck(at % 2 ? other : world.services, {
          accountId,
          by,
          admit,
        }),
    ),
  );
  const begun = all.filter(({ status }) => status === "fulfilled");
  assert(begun.length <= IDENTITY_TRIES_A_DAY);
  assertEquals((await sessions(world)).length, begun.length);
});

Deno.test("return and event at once verify once", async () => {
  await using world = await opened();
  await choose(await start(world), "verify");
  const [id = ""] = await sessions(world);
  await Promise.all([
    look(world),
    syncIdentity(world.services, id),
    syncIdentity(world.another().services, id),
  ]);
  assertEquals(await statusOf(world), "verified");
});

for (const when of ["before", "after"] as const) {
  Deno.test(`a crash ${when} the page is opened loses no verification`, async () => {
    await using world = await opened();
    let url: string | null = null;
    const doomed = world.another((real) =>
      crashingProcessor(
        {
          ...real,
          async createIdentitySession(...given) {
            const made = await real.createIdentitySession(...given);
            if (made.ok) url = made.value.url;
            return made;
          },
        },
        { call: 1, when },
        () => doomed.kv.crash(),
      )
    );
    try {
      await startIdentityCheck(doomed.services, { accountId, by, admit });
    } catch (thrown) {
      if (!isCrash(thrown)) throw thrown;
    }
    if (url !== null) await choose(url, "verify");
    await look(world);
    const expected = when === "after" ? "verified" : "unverified";
    assertEquals(await statusOf(world), expected);
    assertEquals((await sessions(world)).length, 1, "the same page was met");
  });
}

Deno.test("a processor that is silent verifies nobody and is asked again later", async () => {
  await using world = await opened();
  const path = "/v1/identity/verification_sessions**";
  const fault = { kind: "rate_limit", path, times: null } as const;
  world.simulator.control.addFault(fault);
  await assertRejects(() => start(world), ProcessorUncertain);
  world.clock.advance(15 * 60_000);
  await sweepIdentities(world.services);
  const due = (await checkOf(world))?.lookDueAtMs;
  assertEquals(due, world.clock.now() + 3_600_000);
  world.simulator.control.clearFaults();
});

Deno.test("a check of which nothing comes is looked at for three days", async () => {
  await using world = await opened();
  await start(world);
  for (let hour = 0; hour < 80; hour++) {
    world.clock.advance(3_600_000);
    await sweepIdentities(world.services);
  }
  assertEquals((await checkOf(world))?.lookDueAtMs, null);
});
