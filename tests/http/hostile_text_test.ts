/**
 * Whatever people and their agents call things, no page runs it: hostile text
 * in every place that somebody can write to, shown by every page there is.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { reportAd } from "../../domain/ad_reports/report_ad.ts";
import { createGrant } from "../../tools/demo/create_grant.ts";
import type { Services } from "../../domain/ports.ts";
import { AUCTION_DAY, createAdvertiser } from "../support/auction_world.ts";
import { ManualClock } from "../support/clock.ts";
import {
  askFromAnywhere,
  operationsOf,
  signInAt,
} from "../support/every_route.ts";
import { settle, spotlight } from "../support/public_spotlights.ts";
import { runService } from "../support/running_service.ts";
import { startTestProcessor } from "../support/test_processor.ts";

/** Ends attributes and elements, whichever quotes they have. */
const HOSTILE = `"'><script>alert(1)</script><img src=x onerror=alert(2)>`;

const OPERATOR = "operator@example.com";

/** A day that is settled, unlike the one that the others bid for. */
const SHOWN_DAY = "2026-11-19";

const IDS = ["ad_ada", "ad_waiting", "acc_ada"];

/** Ada, who calls everything that she can name as above. */
async function saveHostile(services: Services): Promise<void> {
  const { store, clock } = services;
  const { paymentMethodId } = await createAdvertiser(
    services,
    "ada",
    "pm_card_visa",
  );
  const copy = {
    headline: HOSTILE,
    description: HOSTILE,
    targetUrl: `https://ada.example/?a=${encodeURIComponent(HOSTILE)}`,
  };
  const creative = { ...copy, accountId: "acc_ada", createdAtMs: clock.now() };
  await store.transact(async (tx) => {
    const account = await tx.accounts.find("acc_ada");
    const card = await tx.paymentMethods.find("acc_ada", paymentMethodId);
    assert(account?.company && card);
    tx.accounts.save({
      ...account,
      company: {
        ...account.company,
        name: HOSTILE,
        address: { line1: HOSTILE, city: HOSTILE, postalCode: HOSTILE },
      },
      suspendedAtMs: clock.now(),
      suspensionReason: HOSTILE,
    });
    tx.paymentMethods.save({ ...card, brand: HOSTILE, last4: HOSTILE });
    tx.creatives.save({ ...creative, adId: "ad_ada", state: "approved" });
    tx.creatives.save({
      ...creative,
      adId: "ad_waiting",
      state: "submitted",
      submittedAtMs: clock.now(),
      rejection: {
        policyId: "impersonation",
        message: HOSTILE,
        remedy: HOSTILE,
      },
    });
    tx.credentials.save({
      accountId: "acc_ada",
      generation: 0,
      passkeys: [passkey(clock.now())],
    });
  });
  await createGrant(services, {
    accountId: "acc_ada",
    clientId: "https://agent.example/client.json",
    clientName: HOSTILE,
    scopes: ["account:read"],
    mandate: null,
  });
  await settle(
    store,
    spotlight(SHOWN_DAY, { ...copy, advertiser: HOSTILE }),
  );
  await reportAd(services, {
    day: spotlight(SHOWN_DAY).day,
    report: { policyId: "impersonation", text: HOSTILE },
  });
}

function passkey(nowMs: number) {
  return {
    id: "pk_ada",
    credentialId: "Y3JlZA",
    publicKey: "a2V5",
    counter: 0,
    transports: ["internal"],
    aaguid: "00000000-0000-0000-0000-000000000000",
    backupEligible: false,
    backedUp: false,
    name: HOSTILE,
    createdAtMs: nowMs,
    lastUsedAtMs: null,
  };
}

/** Pages on which it has to be seen, or they would prove nothing. */
const SHOWN_ON = [
  "GET /",
  "GET /account",
  "GET /agents",
  "GET /billing",
  "GET /creatives",
  "GET /creatives/:id",
  "GET /creatives/:id/edit",
  "GET /onboarding",
  "GET /operator/accounts/:id",
  "GET /operator/review",
  "GET /operator/review/:id",
  "GET /report/:day",
  "GET /spotlights",
  "GET /spotlights/:day",
];

Deno.test("no page runs what people call things, whoever looks at it", async () => {
  const clock = new ManualClock(`${AUCTION_DAY}T12:00:00.000Z`);
  await using cleanup = new AsyncDisposableStack();
  const { simulator, env } = await startTestProcessor(clock);
  cleanup.defer(() => simulator.stop());
  const running = cleanup.use(
    await runService({ clock, env: { ...env, TRUSTED_PROXY_HOPS: "1" } }),
  );
  const { services, records } = running.service.core;
  await saveHostile(services);
  await records.refresh();
  const ask = askFromAnywhere();
  const cookies = [
    await signInAt(running, ask, "ada@example.com"),
    await signInAt(running, ask, OPERATOR),
  ];
  const shown = new Set<string>();
  for (const id of IDS) {
    for (const operation of operationsOf(running, id)) {
      if (operation.method !== "GET") continue;
      for (const cookie of cookies) {
        const headers = { cookie, accept: "text/html" };
        const answer = await ask(operation.url, { headers });
        const text = await answer.text();
        const type = answer.headers.get("content-type") ?? "";
        if (!type.startsWith("text/html")) continue;
        const { name } = operation;
        assertEquals(text.includes("<script>alert"), false, name);
        assertEquals(text.includes("<img src=x"), false, name);
        // A quote as it stands would end the attribute it stands in.
        assertEquals(/["']>?(&gt;)?&lt;script/.test(text), false, name);
        if (text.includes("&lt;script&gt;alert(1)")) shown.add(name);
      }
    }
  }
  for (const name of SHOWN_ON) assert(shown.has(name), name);
});
