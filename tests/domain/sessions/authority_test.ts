/**
 * What gives a lasting right, takes one away or tells a secret carries its
 * authority into its commit: one that ends between the request and the commit
 * leaves nothing.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { simpleWebauthn } from "../../../adapters/webauthn/simple_webauthn.ts";
import {
  type Authority,
  requireAuthority,
} from "../../../domain/sessions/authority.ts";
import { openBillingPortal } from "../../../domain/cards/open_billing_portal.ts";
import { IDENTITY_READY } from "../../support/identity_ready.ts";
import { startCardSetup } from "../../../domain/cards/start_card_setup.ts";
import { startIdentityCheck } from "../../../domain/identity/start_identity_check.ts";
import { approveAuthorization } from "../../../domain/oauth/authorize/approve_authorization.ts";
import { listGrants } from "../../../domain/oauth/list_grants.ts";
import { revokeConnection } from "../../../domain/oauth/revoke_connection.ts";
import { revokeGrant } from "../../../domain/oauth/revoke_grant.ts";
import { revokeToken } from "../../../domain/oauth/revoke_token.ts";
import {
  beginPasskey,
  registerPasskey,
} from "../../../domain/passkeys/register_passkey.ts";
import { removePasskey } from "../../../domain/passkeys/own_passkeys.ts";
import type { Services } from "../../../domain/ports.ts";
import { endEverySession } from "../../../domain/sessions/end_session.ts";
import { type Agent, openBiddingWorld } from "../../support/bidding_world.ts";
import { register, start, yes } from "../../support/oauth_flow.ts";
import { openOauthWorld } from "../../support/oauth_world.ts";
import { SoftAuthenticator } from "../../support/authenticator.ts";
import { TEST_BASE_URL } from "../../support/public_spotlights.ts";
import { savePasskeys } from "../../support/passkeys.ts";
import { assertRefused } from "../../support/refused.ts";
import { saveSession } from "../../support/sessions.ts";
import { openCardsWorld } from "../cards/cards_world.ts";

/**
 * Services that something happens to between the reads of a commit and it, the
 * first one unless told.
 */
function withMeanwhile<Given extends Pick<Services, "store">>(
  services: Given,
  meanwhile: () => Promise<unknown>,
  nth = 1,
): Given {
  let read = 0;
  const { store } = services;
  const racing: Services["store"] = Object.create(store, {
    transact: {
      value: ((verb, ...rest) =>
        store.transact(async (tx) => {
          const said = await verb(tx);
          read += 1;
          if (read === nth) await meanwhile();
          return said;
        }, ...rest)) satisfies Services["store"]["transact"],
    },
  });
  return { ...services, store: racing };
}

function disconnect(services: Services, { account, grant }: Agent) {
  const named = { grantId: grant.id, accountId: account.id };
  return revokeGrant(services, named);
}

Deno.test("requireAuthority() knows grants that were revoked, and sessions that ended alone or with all others", async () => {
  await using world = await openBiddingWorld();
  const { services } = world;
  const { store } = services;
  const ada = await world.agent("ada");
  const check = (authority: Authority) =>
    store.transact((tx) => requireAuthority(tx, authority));
  const { lineId } = ada;
  const grant = { grant: { id: ada.grant.id, lineId } };
  const session = await saveSession(services, ada.account.id);
  await check(grant);
  await check({ session });
  await disconnect(services, ada);
  await assertRefused(() => check(grant), "token_invalid");
  const none = { grant: { id: "none", lineId } };
  await assertRefused(() => check(none), "token_invalid");
  await endEverySession(services, ada.account.id);
  await assertRefused(() => check({ session }), "session_missing");
  await check({ session: { ...session, generation: 1 } });
  await store.transact((tx) => tx.sessions.remove(session));
  await assertRefused(
    () => check({ session: { ...session, generation: 1 } }),
    "session_missing",
  );
});

Deno.test("requireAuthority() knows a line that its client gave back while the grant stands", async () => {
  await using world = await openBiddingWorld();
  const { services } = world;
  const clientId = "client_of_both";
  const ada = await world.agent("ada", { clientId });
  const other = await world.agent("ada", { clientId });
  const check = ({ grant: { id }, lineId }: Agent) =>
    services.store.transact((tx) =>
      requireAuthority(tx, { grant: { id, lineId } })
    );
  const token = ada.refreshToken;
  await revokeToken(services, { token, clientId: null });
  await assertRefused(() => check(ada), "token_invalid");
  await check(other);
});

Deno.test("a consent whose browser is signed out before its commit connects nothing, and leaves the request open", async () => {
  for (const way of ["everywhere", "alone"] as const) {
    await using world = await openOauthWorld();
    const { services } = world;
    const requestId = await start(world, await register(world));
    const answer = yes(world, requestId);
    const { accountId } = answer.session;
    const racing = withMeanwhile(services, async () => {
      if (way === "everywhere") return endEverySession(services, accountId);
      await services.store.transact(async (tx) => {
        const session = await tx.sessions.find(answer.session.hash);
        assert(session !== null);
        tx.sessions.remove(session);
      });
    });
    await assertRefused(
      () => approveAuthorization(racing, answer),
      "session_missing",
    );
    assertEquals(await listGrants(services, { accountId }), []);
    assert(await services.store.authorizationRequests.find(requestId));
  }
});

Deno.test("an agent that is disconnected before its commit disconnects no other", async () => {
  await using world = await openBiddingWorld();
  const { services } = world;
  const ada = await world.agent("ada");
  const other = await world.agent("bob", { account: { id: ada.account.id } });
  const racing = withMeanwhile(services, () => disconnect(services, ada));
  await assertRefused(
    () =>
      revokeConnection(racing, {
        accountId: ada.account.id,
        grantId: other.grant.id,
        by: { grant: { id: ada.grant.id, lineId: ada.lineId } },
        binding: null,
      }),
    "token_invalid",
  );
  const grant = await services.store.grants.find(other.grant.id);
  assertEquals(grant?.revokedAtMs, null);
});

Deno.test("an agent that is disconnected before its commit removes no passkey", async () => {
  await using world = await openBiddingWorld();
  const { services } = world;
  const ada = await world.agent("ada");
  await savePasskeys(services, ada, ["pk_1", "pk_2"]);
  const racing = withMeanwhile(services, () => disconnect(services, ada));
  const { account: { id: accountId }, grant: { id }, lineId } = ada;
  const by = { grant: { id, lineId } };
  const asked = { accountId, passkeyId: "pk_1", by };
  await assertRefused(
    () => removePasskey(racing, { ...asked, binding: null }),
    "token_invalid",
  );
  const credentials = await services.store.credentials.find(accountId);
  assertEquals(credentials?.passkeys.length, 2);
});

Deno.test("a browser that is signed out before the commit of its passkey has none", async () => {
  await using world = await openBiddingWorld();
  const services = {
    ...world.services,
    webauthn: simpleWebauthn(TEST_BASE_URL),
  };
  const { account } = await world.agent("ada");
  const session = await saveSession(services, account.id);
  const signedIn = { session, account, needsPasskey: false };
  const options = await beginPasskey(services, signedIn);
  const response = new SoftAuthenticator().create(options as never);
  const signOut = () => endEverySession(services, account.id);
  // The first commit uses the challenge up.
  const racing = withMeanwhile(services, signOut, 2);
  await assertRefused(
    () => registerPasskey(racing, signedIn, response),
    "session_missing",
  );
  const credentials = await services.store.credentials.find(account.id);
  assertEquals([credentials?.generation, credentials?.passkeys], [1, []]);
});

Deno.test("the pages for a card and an identity are told nobody who was signed out while they were opened", async () => {
  await using world = await openCardsWorld();
  const { services } = world;
  const { processor } = services;
  const accountId = await world.account("ada");
  const by = { session: await saveSession(services, accountId) };
  await services.store.transact(async (tx) => {
    const account = await tx.accounts.find(accountId);
    assert(account !== null);
    tx.accounts.save({
      ...account,
      ...IDENTITY_READY,
      identityStatus: "unverified",
    });
  });
  const admit = () => Promise.resolve();
  const signedOut = () => endEverySession(services, accountId);
  const racing: Services = {
    ...services,
    processor: {
      ...processor,
      async createCardSetup(...call) {
        await signedOut();
        return await processor.createCardSetup(...call);
      },
      async createIdentitySession(...call) {
        await signedOut();
        return await processor.createIdentitySession(...call);
      },
    },
  };
  await startCardSetup(services, { accountId, by, admit });
  await startIdentityCheck(services, { accountId, by, admit });
  await assertRefused(
    () => startCardSetup(racing, { accountId, by, admit }),
    "session_missing",
  );
  const again = { session: { ...by.session, generation: 1 } };
  await assertRefused(
    () => startIdentityCheck(racing, { accountId, by: again, admit }),
    "session_missing",
  );
});

Deno.test("a link to the billing portal is told nobody who was signed out while it was made, nor at a repeat", async () => {
  await using world = await openCardsWorld();
  const { services } = world;
  const { processor } = services;
  const accountId = await world.account("ada");
  const session = await saveSession(services, accountId);
  const binding = {
    owner: accountId,
    operation: "POST /v1/agent/billing_portal",
    key: "key-1",
    requestHash: "hash",
  };
  const asked = { accountId, by: { session }, binding };
  const signedOut: Services = {
    ...services,
    processor: {
      ...processor,
      async createBillingPortal(...call) {
        await endEverySession(services, accountId);
        return await processor.createBillingPortal(...call);
      },
    },
  };
  await openBillingPortal(services, { ...asked, binding: null });
  await assertRefused(
    () => openBillingPortal(signedOut, asked),
    "session_missing",
  );
  const again = { session: { ...session, generation: 1 } };
  await openBillingPortal(services, { ...asked, by: again });
  await assertRefused(
    () => openBillingPortal(services, asked),
    "session_missing",
  );
});
