import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { agentMail, type AgentNews } from "../../../domain/oauth/agent_mail.ts";
import { changeConnection } from "../../../domain/oauth/change_connection.ts";
import { SECURITY_MAILS_A_DAY } from "../../../domain/accounts/security_mails.ts";
import type { OutboxMail } from "../../../domain/mail/outbox_mail.ts";
import type { Scope } from "../../../domain/oauth/grant.ts";
import { LINES_MAX } from "../../../domain/oauth/lines.ts";
import { listGrants } from "../../../domain/oauth/list_grants.ts";
import { wordsOf } from "../../support/mail_words.ts";
import {
  bearerStatus,
  connect,
  type Connected,
  register,
} from "../../support/oauth_flow.ts";
import { type OauthWorld, openOauthWorld } from "../../support/oauth_world.ts";
import { assertRefused } from "../../support/refused.ts";
import { liveSession } from "../../support/sessions.ts";
import { TEST_SETTINGS } from "../../support/site_app.ts";

const DAY_MS = 86_400_000;

const MANDATE = {
  maxBidCents: 10_000,
  dailyCapCents: 20_000,
  totalCapCents: 250_000,
  validUntilMs: Date.parse("2026-12-01T00:00:00.000Z"),
};

function connectWith(
  world: OauthWorld,
  clientId: string,
  scopes: readonly Scope[],
): Promise<Connected> {
  const asked = { scope: scopes.join(" ") };
  return connect(world, { clientId, asked, answer: { scopes } });
}

async function mailsOf({ services }: OauthWorld): Promise<OutboxMail[]> {
  const mails = await services.store.listMails({ limit: 100 });
  return mails.filter(({ kind }) => kind === "agent_connected");
}

Deno.test("who connects an agent is mailed what it may do and how to stop it, once", async () => {
  await using world = await openOauthWorld();
  const clientId = await register(world);
  await connectWith(world, clientId, ["account:read"]);
  const [mail, ...more] = await mailsOf(world);
  assertEquals(more, []);
  const account = await world.services.store.accounts.find("acc_ada");
  assertEquals(mail?.to, account?.email);
  for (
    const said of [
      "Test Client",
      "It may: See your account",
      "Spending: It can't bid",
      "https://spotlight.example/agents",
      "To stop it, disconnect it. It can do nothing any more at once; bids that were accepted stand.",
      "If nobody of yours did this, sign out everywhere, which also disconnects every agent.",
    ]
  ) assertStringIncludes(wordsOf(mail), said);
  assert(!wordsOf(mail).includes("once a day"));
});

Deno.test("the mail about an agent names the host of its document, or else where it is led back to", () => {
  const news: AgentNews = {
    what: "connected",
    installations: null,
    isOneEnded: false,
  };
  for (
    const [host, said] of [["its.example", "its"], [null, "back"]] as const
  ) {
    const client = { name: "Agent", host, redirectHost: "back.example" };
    const agent = { client, scopes: [], mandate: null };
    const { parts } = agentMail("ada@example.com", agent, news, TEST_SETTINGS);
    const text = JSON.stringify(parts);
    assertStringIncludes(text, `["Connected through","${said}.example"]`);
  }
});

Deno.test("the order in which scopes were ticked is no change", async () => {
  await using world = await openOauthWorld();
  const clientId = await register(world);
  await connectWith(world, clientId, ["account:read", "bids:read"]);
  await connectWith(world, clientId, ["bids:read", "account:read"]);
  const [, mail] = await mailsOf(world);
  assertStringIncludes(mail?.subject ?? "", "was connected once more");
});

Deno.test("one more installation of an agent that may do the same is mailed, once a day", async () => {
  await using world = await openOauthWorld();
  const { clock } = world.bidding;
  const clientId = await register(world);
  const subjects = async () =>
    (await mailsOf(world)).slice(1).map(({ subject }) => subject);
  const again = "An agent was connected once more to your Spotlight account";
  for (let nth = 0; nth < 4; nth++) {
    await connectWith(world, clientId, ["account:read"]);
  }
  assertEquals(await subjects(), [again]);
  clock.advance(DAY_MS);
  await connectWith(world, clientId, ["account:read"]);
  assertEquals(await subjects(), [again, again]);
  const [, first, second] = await mailsOf(world);
  for (
    const said of [
      "Test Client",
      "Installations: 2, with this one",
      "may act for your account, on another computer or on the same one:",
      "Of more installations of it you are mailed once a day. Your agents page says how many there are.",
      "/agents",
    ]
  ) assertStringIncludes(wordsOf(first), said);
  assertStringIncludes(wordsOf(second), "Installations: 5, with this one");
});

Deno.test("an installation that is ended for another is told by mail, also on a day on which one was told of", async () => {
  await using world = await openOauthWorld();
  const clientId = await register(world);
  const { grantId, tokens } = await connectWith(world, clientId, [
    "account:read",
  ]);
  const ENDED = "the one that was not used for longest was disconnected";
  for (let nth = 1; nth < LINES_MAX; nth++) {
    world.bidding.clock.advance(1_000);
    await connectWith(world, clientId, ["account:read"]);
  }
  assertEquals(await bearerStatus(world, tokens.access_token), 200);
  for (const mail of await mailsOf(world)) {
    assert(!wordsOf(mail).includes(ENDED));
  }
  for (let nth = 0; nth < 3; nth++) {
    world.bidding.clock.advance(1_000);
    await connectWith(world, clientId, ["account:read"]);
  }
  assertEquals(await bearerStatus(world, tokens.access_token), 401);
  const told = (await mailsOf(world)).map(wordsOf)
    .filter((words) => words.includes(ENDED));
  assertEquals(told.length, 1);
  assertStringIncludes(told[0] ?? "", `Installations: ${LINES_MAX}`);
  const [overview] = await listGrants(world.services, {
    accountId: "acc_ada",
  });
  assertEquals(overview?.grant.id, grantId);
  assertEquals(overview?.lines.length, LINES_MAX);
});

Deno.test("a consent that allows more in one more installation says both in one mail", async () => {
  await using world = await openOauthWorld();
  const clientId = await register(world);
  await connectWith(world, clientId, ["account:read"]);
  await connectWith(world, clientId, ["bids:read"]);
  const [, mail, ...more] = await mailsOf(world);
  assertEquals(more, []);
  assertStringIncludes(wordsOf(mail), "Installations: 2, with this one");
  assertStringIncludes(wordsOf(mail), "It may: See your bids");
});

Deno.test("who changes what an agent may do is mailed its limits", async () => {
  await using world = await openOauthWorld();
  const clientId = await register(world);
  await connectWith(world, clientId, ["account:read"]);
  const { grantId } = await connectWith(world, clientId, ["bids:read"]);
  const scopes = ["bids:read", "bids:write"] as const;
  const authTimeMs = world.services.clock.now();
  const session = { ...liveSession("acc_ada"), authTimeMs };
  for (let nth = 0; nth < 2; nth++) {
    const answer = { session, scopes, mandate: MANDATE };
    await changeConnection(world.services, { grantId, ...answer });
  }
  const mails = await mailsOf(world);
  assertEquals(mails.map(({ subject }) => subject), [
    "An agent was connected to your Spotlight account",
    "What an agent may do on Spotlight was changed",
    "What an agent may do on Spotlight was changed",
  ]);
  for (
    const said of [
      "Most for a bid: EUR 100.00",
      "Most for the bids of a day: EUR 200.00",
      "Most in all: EUR 2,500.00",
      "Through: 2026-11-30, to the end of the day in UTC",
    ]
  ) assertStringIncludes(wordsOf(mails.at(-1)), said);
});

Deno.test("a change of an agent that is refused is mailed to nobody", async () => {
  await using world = await openOauthWorld();
  const clientId = await register(world);
  const { grantId } = await connectWith(world, clientId, ["account:read"]);
  const of = (accountId: string) => ({
    session: liveSession(accountId),
    scopes: ["bids:read"] as const,
    mandate: null,
  });
  await assertRefused(
    () => changeConnection(world.services, { grantId, ...of("acc_eve") }),
    "account_not_found",
  );
  assertEquals((await mailsOf(world)).length, 1);
});

Deno.test("an agent that is changed over and over is mailed ten times a day, and counted with all consents", async () => {
  await using world = await openOauthWorld();
  const clientId = await register(world);
  const sets = [["account:read"], ["bids:read"]] as const;
  for (let nth = 0; nth < SECURITY_MAILS_A_DAY + 2; nth++) {
    await connectWith(world, clientId, sets[nth % 2] ?? []);
  }
  const mails = await mailsOf(world);
  assertEquals(mails.length, SECURITY_MAILS_A_DAY);
  assertStringIncludes(wordsOf(mails.at(-1)), "the last mail of this kind");
  const account = await world.services.store.accounts.find("acc_ada");
  assert(account !== null);
  assertEquals(account.consents, SECURITY_MAILS_A_DAY + 2);
});
