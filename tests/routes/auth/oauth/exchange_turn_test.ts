/** Whose turn it is to use what a form shows, and what that is looked up for. */
import { assertEquals } from "@std/assert";
import {
  assertOauthError,
  connect,
  type Connected,
  refreshForm,
  tokensOf,
} from "../../../support/oauth_flow.ts";
import {
  formOf,
  type Members,
  type OauthWorld,
  openOauthWorld,
} from "../../../support/oauth_world.ts";
import { readRefreshToken } from "../../../../domain/oauth/refresh_token.ts";
import { nextTurn } from "../../../../adapters/time/system_time.ts";

const ADDRESS = "198.51.100.1";

function form({ clientId, tokens }: Connected): Members {
  return refreshForm(clientId, tokens.refresh_token);
}

/** Takes the turn of a connection's grant, until it is given back. */
function holdTurn(world: OauthWorld, { tokens }: Connected): () => void {
  const { grantId = "" } = readRefreshToken(tokens.refresh_token) ?? {};
  const { promise, resolve } = Promise.withResolvers<void>();
  void world.limiter.inTurn("exchange", grantId, () => promise);
  assertEquals(world.limiter.isFree("exchange", grantId), false);
  return resolve;
}

/** Asks, and gives the turn back once the request has come as far as it can. */
async function askHeld(
  world: OauthWorld,
  connected: Connected,
  from?: string,
): Promise<number> {
  const { kv } = world.bidding.testStore;
  const giveBack = holdTurn(world, connected);
  const before = kv.readCount;
  let isAnswered = false;
  const asked = world.ask("/oauth/token", formOf(form(connected)), from);
  void asked.then(() => isAnswered = true);
  for (let n = 0; n < 50; n++) await nextTurn();
  assertEquals(isAnswered, false, "it waits");
  giveBack();
  await tokensOf(await asked);
  return kv.readCount - before;
}

async function askFree(
  world: OauthWorld,
  connected: Connected,
): Promise<number> {
  const { kv } = world.bidding.testStore;
  const before = kv.readCount;
  await tokensOf(await world.post(form(connected)));
  return kv.readCount - before;
}

Deno.test("who shows a token that was made up for a grant waits for no turn of it, and who shows its own does", async () => {
  await using world = await openOauthWorld();
  const connected = await connect(world);
  const giveBack = holdTurn(world, connected);
  const madeUp = connected.tokens.refresh_token.slice(0, -65) + "x".repeat(65);
  const answer = await world.post(refreshForm(connected.clientId, madeUp));
  await assertOauthError(answer, "invalid_grant", 400);
  giveBack();
  await askHeld(world, connected);
});

Deno.test("a token is looked up before its exchange only where it would wait, and once", async () => {
  await using world = await openOauthWorld();
  const connected = await connect(world);
  await askFree(world, connected);
  const free = await askFree(world, connected);
  assertEquals(await askHeld(world, connected), free + 1);
  while ((await world.limiter.take("exchange", ADDRESS)).admitted);
  assertEquals(await askHeld(world, connected, ADDRESS), free + 1);
});
