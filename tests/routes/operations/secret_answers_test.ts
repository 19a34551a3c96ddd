/**
 * What an answer of the agent API tells once, and a repeat again, no backup can
 * be read for.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { dump } from "../../../kv/dump.ts";
import { AGENT_OPERATIONS } from "../../../routes/operations/agent_operations.ts";
import { type Change, placeOf } from "../../../routes/operations/operation.ts";
import { SCOPES } from "../../../domain/oauth/grant.ts";
import type { Agent } from "../../support/bidding_world.ts";
import { type BillingApi, openBillingApi } from "../../support/billing_api.ts";
import { backupRows } from "../../support/backup_rows.ts";

/** What opens something, signs or stands for somebody. */
const SECRET =
  /whsec_[\w+/=-]{8,}|svc_[a-z]{2}_[\w-]{8,}|spt_\w{8,}|https?:\/\/(?:localhost|127\.0\.0\.1)[^"]{12,}|"[\w-]{43}"/g;

/** What is said to each change that has a body, so that it is done. */
const BODIES: Readonly<Record<string, (agent: Agent) => unknown>> = {
  "POST /bids": ({ adId }) => ({
    day: "2026-11-20",
    ad_id: adId,
    amount_cents: 1_000,
    currency: "EUR",
  }),
  "POST /creatives": () => ({
    headline: "A headline",
    description: "What there is to say",
    target_url: "https://ada.example/",
  }),
  "PATCH /creatives/{ad_id}": () => ({ headline: "Another headline" }),
  "PATCH /me": () => ({ company_name: "ada GmbH" }),
  "PUT /affiliate/callback": () => ({ url: "https://agent.example/hooks" }),
  "PUT /events/callback": () => ({ url: "https://agent.example/hooks" }),
};

const CHANGES = AGENT_OPERATIONS.filter((each): each is Change =>
  each.kind === "change"
);

/** Asks for one change; what stands in the path is the agent's advertisement. */
async function asked(api: BillingApi, agent: Agent, { at, body }: Change) {
  const { method, path } = placeOf({ at });
  const said = body === null ? null : BODIES[at]?.(agent);
  assert(said !== undefined, `what is said to ${at}?`);
  const answer = await api.ask(path.replace(/\{\w+\}/, agent.adId), {
    method,
    as: agent,
    headers: {
      "idempotency-key": "key-of-a-secret",
      ...said !== null && { "content-type": "application/json" },
    },
    ...said !== null && { body: JSON.stringify(said) },
  });
  return await answer.text();
}

Deno.test("no row of a backup holds a secret that an answer gave, for every change of the agent API, and a repeat gets it again", async () => {
  await using api = await openBillingApi();
  const { realKv } = api.world.testStore;
  const secretOnes: string[] = [];
  for (const [at, change] of CHANGES.entries()) {
    // Of its own: what one makes another would find made.
    const agent = await api.billing(`ada${at}`, ["visa"], SCOPES);
    const said = await asked(api, agent, change);
    const secrets = said.match(SECRET) ?? [];
    if (secrets.length > 0) secretOnes.push(change.at);
    assertEquals(secrets.length > 0, change.isAnswerSecret, said);
    const backup = backupRows(
      await new Response(dump(realKv, { keys: null })).text(),
    ).join("\n");
    for (const secret of secrets) {
      assert(!backup.includes(secret.slice(8, 40)), change.at);
      assert(!backup.includes(btoa(secret).slice(4, 24)), change.at);
    }
    if (secrets.length > 0) {
      assert(backup.includes("key-of-a-secret"), "the repeat is known");
      assertEquals(await asked(api, agent, change), said, change.at);
    }
  }
  assertEquals(secretOnes.toSorted(), [
    "POST /billing_portal",
    "PUT /affiliate/callback",
    "PUT /events/callback",
  ]);
});
