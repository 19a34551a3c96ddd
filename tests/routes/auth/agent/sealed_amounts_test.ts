/**
 * What an agent that was not let see bids finds out of one that stands: the same
 * questions are asked while it is low and while it is high.
 */
import { assert, assertEquals } from "@std/assert";
import { type Scope, SCOPES } from "../../../../domain/oauth/grant.ts";
import { AGENT_OPERATIONS } from "../../../../routes/operations/agent_operations.ts";
import { openAgentApi, postBid } from "../../../support/agent_api.ts";
import { BID_DAY } from "../../../support/bidding_world.ts";
import { askFor, oneOfEverything } from "../../../support/every_operation.ts";

const LOW_CENTS = 12_345;
const HIGH_CENTS = 67_891;
/** One below both, between them, and above both. */
const ASKED_CENTS = [100, 40_000, 90_000];

/** The scopes that are there to tell what is bid, and the copy of everything. */
const TELLING: readonly Scope[] = ["bids:read", "bids:write", "privacy:write"];

const READS = AGENT_OPERATIONS.filter(({ at }) => at.startsWith("GET "));

/** All that agents of one scope each are answered while a bid of that stands. */
async function answersWith(amountCents: number): Promise<string[]> {
  await using api = await openAgentApi();
  const owner = await api.world.agent("ada", { scopes: SCOPES });
  const ids = await oneOfEverything(api, owner, "ada");
  const raised = await postBid(api, owner, { amount_cents: amountCents });
  assertEquals(raised.status, 200);
  const answers: string[] = [];
  for (const scope of SCOPES.filter((each) => !TELLING.includes(each))) {
    const as = await api.world.agent("ada", { scopes: [scope] });
    for (const operation of READS.filter((each) => each.scope === scope)) {
      const answer = await askFor(api, operation, { as, ids });
      answers.push(`${scope} ${operation.at} ${await answer.text()}`);
    }
    for (const cents of scope === "account:read" ? ASKED_CENTS : []) {
      const about = `day=${BID_DAY}&ad_id=${owner.adId}&amount_cents=${cents}`;
      const answer = await api.ask(`/v1/agent/me?${about}`, { as });
      assertEquals(answer.status, 200);
      answers.push(`${scope} ${cents} ${await answer.text()}`);
    }
  }
  return answers;
}

Deno.test("no answer to an agent that was not let see bids depends on how high one is that stands", async () => {
  const low = await answersWith(LOW_CENTS);
  const high = await answersWith(HIGH_CENTS);
  assert(low.length > 15, `${low.length} answers`);
  assertEquals(low, high);
});

Deno.test("a token without the scopes of bids is told nothing of what its own mandate has used", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada", {
    scopes: ["account:read", "bids:read", "bids:write"],
  });
  const { world: { services } } = api;
  assertEquals((await postBid(api, ada)).status, 200);
  await services.store.transact(async (tx) => {
    const grant = await tx.grants.find(ada.grant.id);
    assert(grant !== null);
    tx.grants.save({ ...grant, scopes: ["account:read"] });
  });
  const answer = await api.ask("/v1/agent/me", { as: ada });
  const { first_bid: { requirements } } = await answer.json();
  const details = Object.fromEntries(
    requirements.map((each: { id: string; detail: string }) => [
      each.id,
      each.detail,
    ]),
  );
  assertEquals(
    details["mandate"],
    "The spending mandate covers what is known of the bid: 1000000 cents are " +
      "the most a day, and 100000 cents are the most for one bid",
  );
});
