/** What every operation writes of an account is gone with it. */
import { mailedTo } from "../../../../domain/accounts/mailed_to.ts";
import { assert, assertEquals } from "@std/assert";
import { DAY_MS } from "../../../../domain/day.ts";
import { SCOPES } from "../../../../domain/oauth/grant.ts";
import { fulfilRequests } from "../../../../domain/privacy/fulfil_requests.ts";
import {
  confirmErasure,
  readErasure,
} from "../../../../domain/privacy/request_erasure.ts";
import { AGENT_OPERATIONS } from "../../../../routes/operations/agent_operations.ts";
import { bidMembers, openAgentApi } from "../../../support/agent_api.ts";
import { openAuctionWorld } from "../../../support/auction_world.ts";
import { familiesWith, linesWith } from "../../../support/canary_account.ts";
import { askFor, oneOfEverything } from "../../../support/every_operation.ts";
import { readyAccount } from "../../../support/bidding_world.ts";

const CANARY = "kanari";
const CALLBACK = { url: `https://hook.${CANARY}.example/` };
const AD = {
  headline: "A kanari sings",
  description: "What the kanari has to say",
  target_url: `https://${CANARY}.example/`,
};

/** What is sent where a body is taken; nothing elsewhere. */
const BODIES: Readonly<Record<string, unknown>> = {
  "PATCH /me": {
    company_name: "Kanari Vogel",
    address: { line1: "Kanari 1", postal_code: "10115", city: "Kanari" },
  },
  "POST /creatives": AD,
  "PATCH /creatives/{ad_id}": { headline: "The kanari sings" },
  "PUT /events/callback": CALLBACK,
  "PUT /affiliate/callback": CALLBACK,
};

Deno.test("after every operation was used, an erasure leaves no word of the account", async () => {
  await using api = await openAgentApi();
  await using there = await openAuctionWorld();
  const { services, clock, testStore } = api.world;
  const agent = await api.world.agent(CANARY, {
    scopes: SCOPES,
    account: { ...readyAccount(CANARY), partner: true },
  });
  const ids = await oneOfEverything(api, agent, "7");
  const used: string[] = [];
  // What ends the agent's own connection comes last.
  const operations = AGENT_OPERATIONS.toSorted((a, b) =>
    Number(a.at.startsWith("DELETE")) - Number(b.at.startsWith("DELETE"))
  );
  for (const operation of operations) {
    const body = operation.at === "POST /bids"
      ? bidMembers(agent, { amount_cents: 2_000 })
      : BODIES[operation.at] ?? {};
    const key = `${CANARY}-${used.length}`;
    const answer = await askFor(api, operation, { as: agent, ids, body, key });
    await answer.body?.cancel();
    used.push(`${operation.at} ${answer.status}`);
  }
  for (const writes of Object.keys(BODIES)) {
    const done = used.find((each) => each.startsWith(`${writes} `)) ?? "";
    assert(/ 20\d$/.test(done) || writes.startsWith("PUT /aff"), done);
  }
  const before = await familiesWith({ testStore, clock }, CANARY);
  assert(before.length > 15, before.join());
  const { account: { id: accountId } } = agent;
  const account = await services.store.accounts.find(accountId);
  assert(account !== null, "it is not erased yet");
  const erasure = await readErasure(services, accountId);
  assert(erasure !== null, "an operation asked for it");
  const to = mailedTo(account);
  await confirmErasure(services, { accountId, erasureId: erasure.id, to });
  clock.advance(7 * DAY_MS);
  const { processor } = there.services;
  await fulfilRequests({ ...services, processor });
  assertEquals(await services.store.accounts.find(accountId), null);
  const left = await linesWith({ testStore, clock }, [CANARY]);
  const named = left.filter(([key, value]) =>
    // Its id is in the books, and says nothing.
    JSON.stringify([key, value]).replaceAll(accountId, "").toLowerCase()
      .includes(CANARY)
  );
  assertEquals(named.map(([key]) => key[0]), []);
});
