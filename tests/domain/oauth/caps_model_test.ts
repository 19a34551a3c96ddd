/**
 * Whatever a client and its user do, in any order and at once, its bids stay
 * within what the user allowed last. A failure prints its seed.
 */
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { placeBid } from "../../../domain/bidding/place_bid.ts";
import { addDays, type Day, dayOf } from "../../../domain/day.ts";
import { changeConnection } from "../../../domain/oauth/change_connection.ts";
import type { Grant, Mandate } from "../../../domain/oauth/grant.ts";
import { refreshTokens } from "../../../domain/oauth/refresh_tokens.ts";
import { revokeGrant } from "../../../domain/oauth/revoke_grant.ts";
import { revokeToken } from "../../../domain/oauth/revoke_token.ts";
import { checkBearer } from "../../../domain/oauth/tokens.ts";
import type { Refusal } from "../../../domain/refusal.ts";
import { createGrant } from "../../../tools/demo/create_grant.ts";
import {
  type Agent,
  BID_DAY,
  type BiddingWorld,
  openBiddingWorld,
} from "../../support/bidding_world.ts";
import { refusalOf } from "../../support/refused.ts";
import { liveSession, saveSession } from "../../support/sessions.ts";
import {
  ClientModel,
  HOUR_MS,
  mandateOf,
  type Terms,
  withTotal,
} from "./caps_model.ts";

const DAYS = [0, 1, 2, 3, 4, 5].map((later) => addDays(BID_DAY, later));
const SCOPES = ["account:read", "bids:write"] as const;

type Deed =
  | { do: "consent"; client: number; terms: Terms }
  | { do: "change"; client: number; terms: Terms }
  | { do: "setTotal"; client: number; totalCapCents: number | undefined }
  | { do: "revoke"; client: number }
  | { do: "giveBack"; line: number }
  | { do: "bid"; line: number; day: number; amountCents: number };

type Step = { deeds: readonly Deed[]; thenMs: number };

const totalCapCents = fc.option(fc.integer({ min: 200, max: 1_500 }), {
  nil: undefined,
  freq: 2,
});
const terms: fc.Arbitrary<Terms> = fc.record({
  maxBidCents: fc.integer({ min: 250, max: 400 }),
  dailyCapCents: fc.integer({ min: 200, max: 800 }),
  totalCapCents,
  hours: fc.integer({ min: 12, max: 100 }),
});
const client = fc.integer({ min: 0, max: 1 });
const consent = fc.record({
  do: fc.constant("consent" as const),
  client,
  terms,
});
const bid = fc.record({
  do: fc.constant("bid" as const),
  line: fc.nat(9),
  day: fc.nat(DAYS.length - 1),
  amountCents: fc.integer({ min: 100, max: 420 }),
});
const deed: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 16, arbitrary: bid },
  { weight: 4, arbitrary: consent },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("change" as const), client, terms }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("setTotal" as const),
      client,
      totalCapCents,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("revoke" as const), client }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("giveBack" as const),
      line: fc.nat(9),
    }),
  },
);
const firstConsent: fc.Arbitrary<Step> = consent
  .map((deed) => ({ deeds: [deed], thenMs: 0 }));
/** One deed, or several at once. */
const step: fc.Arbitrary<Step> = fc.record({
  deeds: fc.oneof(
    { weight: 2, arbitrary: fc.array(deed, { minLength: 1, maxLength: 1 }) },
    { weight: 1, arbitrary: fc.array(deed, { minLength: 2, maxLength: 5 }) },
  ),
  thenMs: fc.constantFrom(0, 0, 1, HOUR_MS, 5 * HOUR_MS, 13 * HOUR_MS),
});

/** An installation of a client. */
interface Installation {
  client: ClientModel;
  refreshToken: string;
}

class World {
  readonly clients = [new ClientModel(0), new ClientModel(1)] as const;
  readonly lines: Installation[] = [];
  readonly outcomes = { accepted: 0, exceeded: 0, counted: 0 };
  /** Cents by client and UTC day, from what the store says of bids. */
  used = new Map<string, number>();
  usedInAll = new Map<ClientModel, number>();
  #keys = 0;

  constructor(readonly bidding: BiddingWorld, readonly ada: Agent) {}

  get nowMs(): number {
    return this.bidding.clock.now();
  }

  clientOf(nth: number): ClientModel {
    const found = this.clients[nth];
    assert(found);
    return found;
  }

  usedToday(client: ClientModel): number {
    return this.used.get(`${client.id} ${dayOf(this.nowMs)}`) ?? 0;
  }

  /** The connection that the client has, if it is not revoked. */
  async grantOf(client: ClientModel): Promise<Grant | null> {
    const { store } = this.bidding.services;
    const named = await store.connections.find("acc_ada", client.id);
    const grant = named && await store.grants.find(named.grantId);
    return grant?.revokedAtMs === null ? grant : null;
  }

  async do(deed: Deed): Promise<void> {
    switch (deed.do) {
      case "consent":
        return await this.#consent(deed.client, deed.terms);
      case "change":
        return await this.#change(
          deed.client,
          () => mandateOf(deed.terms, this.nowMs),
        );
      case "setTotal":
        return await this.#change(
          deed.client,
          (before) => withTotal(before, deed.totalCapCents),
        );
      case "revoke": {
        const grant = await this.grantOf(this.clientOf(deed.client));
        if (grant === null) return;
        const { id: grantId, accountId } = grant;
        await revokeGrant(this.bidding.services, { grantId, accountId });
        return;
      }
      case "giveBack": {
        const line = this.#lineAt(deed.line);
        if (line === null) return;
        const token = line.refreshToken;
        const { services } = this.bidding;
        return await revokeToken(services, { token, clientId: line.client.id });
      }
      case "bid":
        await this.#bid(deed);
    }
  }

  /** As `approveAuthorization()` does: the same verb makes the connection. */
  async #consent(nth: number, wanted: Terms): Promise<void> {
    const client = this.clientOf(nth);
    const mandate = mandateOf(wanted, this.nowMs);
    client.allow(mandate, this.usedToday(client), this.nowMs);
    const { grant, refreshToken } = await createGrant(this.bidding.services, {
      accountId: "acc_ada",
      clientId: client.id,
      scopes: SCOPES,
      mandate,
    });
    client.grantIds.add(grant.id);
    this.lines.push({ client, refreshToken });
  }

  /** As the user does on the agents page; what has ended is changed by none. */
  async #change(
    nth: number,
    changed: (before: Mandate) => Mandate,
  ): Promise<void> {
    const client = this.clientOf(nth);
    const grant = await this.grantOf(client);
    if (!grant?.mandate) return;
    const mandate = changed(grant.mandate);
    if (mandate.validUntilMs <= this.nowMs) return;
    const session = { ...liveSession("acc_ada"), authTimeMs: this.nowMs };
    const answer = { session, scopes: SCOPES, mandate };
    const grantId = grant.id;
    const refusal = await refusalOf(() =>
      changeConnection(this.bidding.services, { grantId, ...answer })
    );
    if (refusal !== null) return assertEquals(refusal.code, "not_found");
    client.allow(mandate, this.usedToday(client), this.nowMs);
  }

  async #bid(
    { line: nth, day, amountCents }: Extract<Deed, { do: "bid" }>,
  ): Promise<Refusal | null> {
    const line = this.#lineAt(nth);
    if (line === null) return null;
    const { services } = this.bidding;
    const { client } = line;
    return await refusalOf(async () => {
      const issued = await refreshTokens(services, {
        refreshToken: line.refreshToken,
        clientId: client.id,
        scopes: null,
        resources: null,
      });
      line.refreshToken = issued.refreshToken;
      const { grant } = await checkBearer(services, issued.accessToken);
      await placeBid(services, {
        by: { grant },
        day: DAYS[day] as Day,
        adId: this.ada.adId,
        amountCents,
        paymentMethodId: null,
        binding: {
          owner: grant.id,
          operation: "POST /v1/agent/bids",
          key: `key-${this.#keys++}`,
          requestHash: "hash",
        },
      });
    });
  }

  /** One deed alone: the model says what becomes of a bid. */
  async alone(deed: Deed): Promise<void> {
    if (deed.do !== "bid") return await this.do(deed);
    const line = this.#lineAt(deed.line);
    const { store } = this.bidding.services;
    const day = DAYS[deed.day] as Day;
    const live = await store.bids.find(day, "acc_ada");
    const added = deed.amountCents - (live?.amountCents ?? 0);
    const refusal = await this.#bid(deed);
    if (line === null) return;
    const { client } = line;
    const fits = this.#fits(client, deed.amountCents, added);
    if (refusal === null) {
      this.outcomes.accepted += 1;
      const isSet = client.most("totalCapCents") < Infinity;
      if (client.counts(this.nowMs) && !isSet) this.outcomes.counted += 1;
      assert(fits, "a bid was accepted that passes a cap");
    } else if (refusal.code === "mandate_exceeded") {
      this.outcomes.exceeded += 1;
      assert(!fits, "a bid was refused that passes no cap");
    }
  }

  #fits(client: ClientModel, amountCents: number, added: number): boolean {
    const inAll = client.total?.usedCents ?? 0;
    return amountCents <= client.most("maxBidCents") &&
      this.usedToday(client) + Math.max(0, added) <=
        client.most("dailyCapCents") &&
      inAll + Math.max(0, added) <= client.most("totalCapCents");
  }

  #lineAt(nth: number): Installation | null {
    return this.lines[nth % Math.max(1, this.lines.length)] ?? null;
  }

  /** Reads what was bid, and compares it with what was allowed and counted. */
  async compare(): Promise<void> {
    const { store } = this.bidding.services;
    const used = new Map<string, number>();
    const inAll = new Map<ClientModel, number>();
    for (const day of DAYS) {
      const bid = await store.bids.find(day, "acc_ada");
      if (bid === null) continue;
      let before = 0;
      for (const event of await store.listBidEvents(bid.id, { limit: 999 })) {
        const added = event.amountCents - before;
        before = event.amountCents;
        const client = this.clients.find(({ grantIds }) =>
          grantIds.has(event.grantId ?? "")
        );
        assert(client, "each bid is of a grant that was made");
        const key = `${client.id} ${dayOf(event.atMs)}`;
        used.set(key, (used.get(key) ?? 0) + added);
        inAll.set(client, (inAll.get(client) ?? 0) + added);
      }
    }
    for (const client of this.clients) await this.#compare(client, used, inAll);
    this.used = used;
    this.usedInAll = inAll;
  }

  async #compare(
    client: ClientModel,
    used: ReadonlyMap<string, number>,
    inAll: ReadonlyMap<ClientModel, number>,
  ): Promise<void> {
    const key = `${client.id} ${dayOf(this.nowMs)}`;
    const today = used.get(key) ?? 0;
    const added = (inAll.get(client) ?? 0) - (this.usedInAll.get(client) ?? 0);
    if (client.total && client.counts(this.nowMs)) {
      client.total.usedCents += added;
    }
    if (added > 0) {
      assert(today <= client.most("dailyCapCents"), "a daily cap was passed");
      const total = client.total?.usedCents ?? 0;
      assert(total <= client.most("totalCapCents"), "a total was passed");
    }
    const grant = await this.grantOf(client);
    // From here on what was allowed last is all that holds.
    const last = grant?.mandate ?? client.allowed.at(-1);
    const texts = client.allowed.map((one) => JSON.stringify(one));
    assert(last === undefined || texts.includes(JSON.stringify(last)));
    client.allowed = last === undefined ? [] : [last];
    if (grant === null) return;
    const { store } = this.bidding.services;
    const use = await store.mandateUses.find(grant.id, dayOf(this.nowMs));
    assertEquals(use?.usedCents ?? 0, today);
    assertEquals(grant.totalUse?.usedCents, client.total?.usedCents);
  }
}

Deno.test("no order of consents, changes, refreshes, revocations and parallel bids passes a cap, and none frees what was used of a total", async () => {
  const outcomes = { accepted: 0, exceeded: 0, counted: 0 };
  const anySteps = fc.tuple(
    firstConsent,
    fc.array(step, { minLength: 5, maxLength: 25 }),
  ).map((parts) => parts.flat());
  await fc.assert(
    fc.asyncProperty(anySteps, async (steps) => {
      await using bidding = await openBiddingWorld();
      for (const day of DAYS.slice(1)) await bidding.open(day);
      const ada = await bidding.agent("ada");
      await saveSession(bidding.services);
      const world = new World(bidding, ada);
      for (const { deeds, thenMs } of steps) {
        const [first, ...others] = deeds;
        assert(first);
        if (others.length === 0) await world.alone(first);
        else await Promise.all(deeds.map((deed) => world.do(deed)));
        await world.compare();
        bidding.clock.advance(thenMs);
      }
      outcomes.accepted += world.outcomes.accepted;
      outcomes.exceeded += world.outcomes.exceeded;
      outcomes.counted += world.outcomes.counted;
    }),
    { numRuns: 120 },
  );
  // Otherwise the property would hold of nothing.
  assert(outcomes.accepted > 20 && outcomes.exceeded > 20);
  assert(outcomes.counted > 0, "bids were counted while no total was set");
});
