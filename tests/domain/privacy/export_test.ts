import {
  assert,
  assertEquals,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { moved, newSession } from "../../../domain/checkout/session.ts";
import { DAY_MS, dayOf } from "../../../domain/day.ts";
import {
  EXPORT_KEPT_MS,
  EXPORTS_A_DAY,
  EXPORTS_READY_MAX,
  REQUEST_LEASE_MS,
} from "../../../domain/privacy/data_requests.ts";
import {
  CopyTooLarge,
  PART_BYTES,
  PartWriter,
  readPart,
} from "../../../domain/privacy/export_parts.ts";
import { exportRecord } from "../../../domain/privacy/export_record.ts";
import { fulfilRequests } from "../../../domain/privacy/fulfil_requests.ts";
import {
  findOwnExport,
  listExports,
  requestExport,
} from "../../../domain/privacy/request_export.ts";
import { placeBid } from "../../../domain/bidding/place_bid.ts";
import type { AccountEvent } from "../../../domain/events/event.ts";
import type { Services } from "../../../domain/ports.ts";
import {
  type Agent,
  bidBy,
  type BiddingWorld,
  openBiddingWorld,
} from "../../support/bidding_world.ts";
import { MemoryLog } from "../../support/captured_logs.ts";
import {
  exportDocument,
  readCopy,
  takeLease,
} from "../../support/data_copies.ts";
import { savePasskeys } from "../../support/passkeys.ts";
import { assertRefused } from "../../support/refused.ts";
import { saveSession } from "../../support/sessions.ts";

/** Asks for a copy as the agent. */
async function askBy(
  { services }: Pick<BiddingWorld, "services">,
  { account, grant, lineId }: Agent,
  binding: Parameters<typeof requestExport>[1]["binding"] = null,
) {
  const by = { grant: { ...grant, lineId } };
  const asked = { accountId: account.id, grantId: grant.id, by, binding };
  return (await requestExport(services, asked)).value;
}

async function documentOf(
  services: Services,
  { account, grant }: Agent,
  id: string,
  // deno-lint-ignore no-explicit-any -- tests compare what they expect of it
): Promise<any> {
  const own = { accountId: account.id, grantId: grant.id, id };
  const found = await findOwnExport(services, own);
  const bytes = await readCopy(services, found);
  assert(bytes !== null, "the document is there");
  return JSON.parse(new TextDecoder().decode(bytes));
}

Deno.test("a copy of one's data is prepared, mailed of, and read by the agent that asked, for 7 days", async () => {
  await using world = await openBiddingWorld();
  const { services, clock } = world;
  const ada = await world.agent("ada");
  await savePasskeys(services, ada, ["pk_phone"]);
  await saveSession(services, ada.account.id);
  await placeBid(services, bidBy(ada, { amountCents: 4_200 }));
  const asked = await askBy(world, ada);
  assertEquals([asked.status, asked.document], ["preparing", null]);
  await fulfilRequests(services);
  const document = await documentOf(services, ada, asked.id);
  assertEquals(document.account.email, "ada@example.com");
  assertEquals(document.account.company.vat_id, "DE123456789");
  assertEquals(document.cards[0].last4, "4242");
  assertEquals(document.ads[0].headline, "Headline of ada");
  assertEquals(document.bids[0].history[0].amount_cents, 4_200);
  assertEquals(document.agents[0].id, ada.grant.id);
  assertEquals(document.sign_in.passkeys[0].name, "Key pk_phone");
  assertEquals(document.sign_in.browsers.length, 1);
  const mails = await services.store.listMails({ limit: 10 });
  const told = mails.filter(({ kind }) => kind === "export_ready");
  assertEquals(told.map(({ to }) => to), ["ada@example.com"]);
  const own = {
    accountId: ada.account.id,
    grantId: ada.grant.id,
    id: asked.id,
  };
  clock.advance(EXPORT_KEPT_MS - 1);
  assert(await readCopy(services, await findOwnExport(services, own)));
  clock.advance(1);
  await assertRefused(() => findOwnExport(services, own), "not_found");
  assertEquals(await services.store.dataRequests.find(ada.account.id), null);
});

Deno.test("a copy is read by its owner and by the agent that asked, and by no other agent or account", async () => {
  await using world = await openBiddingWorld();
  const { services } = world;
  const ada = await world.agent("ada");
  const bob = await world.agent("bob", {
    account: { vatStatus: "unverified" },
  });
  const { id } = await askBy(world, ada);
  await fulfilRequests(services);
  const accountId = ada.account.id;
  await findOwnExport(services, { accountId, grantId: null, id });
  await findOwnExport(services, { accountId, grantId: ada.grant.id, id });
  for (
    const others of [
      { accountId, grantId: bob.grant.id, id },
      { accountId: bob.account.id, grantId: bob.grant.id, id },
      { accountId: bob.account.id, grantId: null, id },
    ]
  ) {
    await assertRefused(() => findOwnExport(services, others), "not_found");
  }
});

Deno.test("a copy holds nothing that signs in, and nothing of anybody else", async () => {
  await using world = await openBiddingWorld();
  const { services } = world;
  const ada = await world.agent("ada");
  const bob = await world.agent("bob");
  await savePasskeys(services, ada, ["pk_phone"]);
  const session = await saveSession(services, ada.account.id);
  await placeBid(services, bidBy(ada));
  await placeBid(services, bidBy(bob));
  const { id: accountId, email } = ada.account;
  const text = JSON.stringify(
    await exportDocument(services, { accountId, email }),
  );
  const { refresh } = ada.grant.lines[0] ?? {};
  const credentials = await services.store.credentials.find(accountId);
  const [passkey] = credentials?.passkeys ?? [];
  for (
    const secret of [
      session.hash,
      session.bindingId,
      refresh?.lineHash,
      refresh?.currentHash,
      passkey?.publicKey,
      passkey?.credentialId,
      "bob",
    ]
  ) {
    assert(secret !== undefined && secret !== "");
    assert(!text.includes(secret), `the copy has ${secret}`);
  }
});

Deno.test("an account has one copy in preparation and three a day, and asking again tells of the one under way", async () => {
  await using world = await openBiddingWorld();
  const { services, clock } = world;
  const ada = await world.agent("ada");
  const first = await askBy(world, ada);
  assertEquals((await askBy(world, ada)).id, first.id);
  await fulfilRequests(services);
  for (let nth = 1; nth < EXPORTS_A_DAY; nth++) {
    await askBy(world, ada);
    await fulfilRequests(services);
  }
  const refusal = await assertRefused(() => askBy(world, ada), "rate_limited");
  assertEquals(refusal.retryAfterS, DAY_MS / 1_000);
  clock.advance(DAY_MS);
  await askBy(world, ada);
  const copies = await listExports(services, ada.account.id);
  assertEquals(copies.length, EXPORTS_A_DAY + 1);
});

Deno.test("a copy asked for beside another's preparation waits for its turn", async () => {
  await using world = await openBiddingWorld();
  const { services } = world;
  const ada = await world.agent("ada");
  const session = await saveSession(services, ada.account.id);
  await askBy(world, ada);
  await requestExport(services, {
    accountId: ada.account.id,
    grantId: null,
    by: { session },
    binding: null,
  });
  await fulfilRequests(services);
  await fulfilRequests(services);
  const copies = await listExports(services, ada.account.id);
  assertEquals(
    copies.map(({ grantId, readyAtMs }) => [grantId, readyAtMs !== null]),
    [[null, true], [ada.grant.id, true]],
  );
});

Deno.test("a process that dies at any commit of preparing a copy leaves it to be prepared by the next, once", async () => {
  for (let commit = 1;; commit++) {
    let died = false;
    for (const when of ["before", "after"] as const) {
      await using world = await openBiddingWorld();
      const { services, testStore, clock } = world;
      const ada = await world.agent("ada");
      const { id } = await askBy(world, ada);
      const dying = testStore.another();
      dying.kv.crashAt({ commit, when });
      await fulfilRequests(world.over(dying.store)).catch(() => {});
      died ||= dying.kv.dead;
      clock.advance(REQUEST_LEASE_MS);
      await fulfilRequests(services);
      assert((await documentOf(services, ada, id)).account);
      const mails = await services.store.listMails({ limit: 10 });
      const told = mails.filter(({ kind }) => kind === "export_ready");
      assertEquals(told.length, 1, `${when} commit ${commit}`);
    }
    // Lease, parts, result.
    if (!died) return assertEquals(commit, 4);
  }
});

Deno.test("nothing of a copy is prepared while the store is on hold", async () => {
  await using world = await openBiddingWorld();
  const { services } = world;
  const ada = await world.agent("ada");
  await askBy(world, ada);
  await services.store.transact((tx) =>
    tx.holds.save({
      kind: "restored",
      restoredAtMs: 0,
      backupAtMs: 0,
      isWhole: true,
      releasedAtMs: null,
      acknowledged: [],
    })
  );
  await fulfilRequests(services);
  const [copy] = await listExports(services, ada.account.id);
  assertEquals(copy?.readyAtMs, null);
});

Deno.test("a document of many parts is read as it was written, and as none where a part is gone", async () => {
  await using world = await openBiddingWorld();
  const { services, clock } = world;
  // Of one to four bytes each, and so that a part would end within one.
  const text = "a" + "aé€𝄞".repeat(PART_BYTES);
  const expiresAtMs = clock.now() + EXPORT_KEPT_MS;
  const lease = await takeLease(services, "acc_1");
  const writer = new PartWriter(services, { id: "exp_1", expiresAtMs, lease });
  await writer.add(text.slice(0, 77));
  await writer.add(text.slice(77));
  const made = await writer.end();
  assertEquals(made, { bytes: PART_BYTES * 10 + 1, parts: 11 });
  const found = { id: "exp_1", ...made };
  const whole = await readCopy(services, found);
  assertEquals(new TextDecoder().decode(whole ?? undefined), text);
  for (let index = 0; index < made.parts; index++) {
    const part = await readPart(services, found, index);
    assert(part !== null && part.byteLength <= PART_BYTES);
    new TextDecoder("utf-8", { fatal: true }).decode(part);
  }
  await services.store.transact(async (tx) => {
    const part = await tx.exportParts.find("exp_1", 3);
    if (part !== null) tx.exportParts.remove(part);
  });
  assertEquals(await readCopy(services, found), null);
});

Deno.test("a copy has the reports that one's agents bought, and not those of others'", async () => {
  await using world = await openBiddingWorld();
  const { services, clock } = world;
  const [ada, bob] = [await world.agent("ada"), await world.agent("bob")];
  const merchant = { profileId: "profile", environment: "test" as const };
  const made = [ada, ada, bob].map(({ grant }, nth) =>
    newSession({
      id: `cs_${String(nth).padStart(32, "0")}`,
      grantId: grant.id,
      day: dayOf(clock.now()),
      merchant,
    }, clock.now())
  );
  await services.store.transact((tx) => {
    const [open, paid, others] = made;
    assert(open && paid && others, "three sessions");
    tx.checkoutSessions.save(open);
    const begun = moved(paid, "complete_in_progress", clock.now());
    tx.checkoutSessions.save(moved(begun, "completed", clock.now()));
    tx.checkoutSessions.save(others);
  });
  // deno-lint-ignore no-explicit-any -- tests compare what they expect of it
  const checkouts = async (): Promise<any> => {
    const { account: { id: accountId, email } } = ada;
    const document = await exportDocument(services, { accountId, email });
    return document["checkouts"];
  };
  assertEquals(
    // deno-lint-ignore no-explicit-any -- as above
    (await checkouts()).map(({ id, agent, status }: any) => [
      id,
      agent,
      status,
    ]),
    [
      [made[0]?.id, ada.grant.id, "ready_for_payment"],
      [made[1]?.id, ada.grant.id, "completed"],
    ],
  );
  // One that was never paid for is gone after 30 days, one that was is not.
  clock.advance(31 * DAY_MS);
  assertEquals((await checkouts()).length, 1);
});

Deno.test("a copy that is too large ends once, with its reason, and leaves no part", async () => {
  await using world = await openBiddingWorld();
  const { services, clock } = world;
  const expiresAtMs = clock.now() + EXPORT_KEPT_MS;
  const lease = await takeLease(services, "acc_1");
  const copy = { id: "exp_1", expiresAtMs, lease };
  const writer = new PartWriter(services, copy, PART_BYTES);
  await assertRejects(
    () => writer.add("a".repeat(PART_BYTES + 1)).then(() => writer.end()),
    CopyTooLarge,
  );
  const ada = await world.agent("ada");
  const { id } = await askBy(world, ada);
  const { store } = services;
  // More than any account has: every page of events is full, for ever.
  const full = { ...store, listEvents: endless("x".repeat(4_000)) };
  const log = new MemoryLog();
  await fulfilRequests({ ...services, store: full, log });
  const own = { accountId: ada.account.id, grantId: ada.grant.id, id };
  const failed = await findOwnExport(services, own);
  assertEquals(exportRecord(failed, "https://auth.example").status, "failed");
  assertEquals(await readPart(services, failed, 0), null);
  const requests = await store.dataRequests.find(ada.account.id);
  assertEquals(requests?.dueAtMs, null);
  assertEquals(log.events, ["privacy.failed"]);
  assertStringIncludes(log.lines[0] ?? "", "CopyTooLarge");
  // Another can be asked for, and is prepared.
  const next = await askBy(world, ada);
  await fulfilRequests(services);
  assert((await documentOf(services, ada, next.id)).account);
});

function endless(text: string): Services["store"]["listEvents"] {
  return (accountId, { limit, after }) =>
    Promise.resolve(Array.from({ length: limit }, (_, nth) => ({
      accountId,
      position: after + nth + 1,
      id: `evt_${after + nth + 1}`,
      type: "bid.placed",
      atMs: 0,
      data: { text },
    } as unknown as AccountEvent)));
}

Deno.test("three copies of an account lie ready: one more takes the place of the oldest, parts and all", async () => {
  await using world = await openBiddingWorld();
  const { services, clock } = world;
  const ada = await world.agent("ada");
  const ids: string[] = [];
  for (let nth = 0; nth < EXPORTS_READY_MAX + 2; nth++) {
    ids.push((await askBy(world, ada)).id);
    await fulfilRequests(services);
    clock.advance(DAY_MS / 2);
  }
  const copies = await listExports(services, ada.account.id);
  assertEquals(copies.map(({ id }) => id), ids.slice(2).toReversed());
  const firsts = await Promise.all(
    ids.map((id) => readPart(services, { id }, 0)),
  );
  assertEquals(
    firsts.map((part) => part !== null),
    [false, false, true, true, true],
  );
});
