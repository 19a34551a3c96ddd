/**
 * Connections that are told of events at an address: a world of bidders, and a
 * receiver that does as it is told.
 *
 * @module
 */
import { assert } from "@std/assert";
import type { Callback } from "../../../domain/callbacks/callback.ts";
import { setCallback } from "../../../domain/callbacks/set_callback.ts";
import {
  FetchRefused,
  type Message,
} from "../../../domain/fetching/fetcher.ts";
import type { Scope } from "../../../domain/oauth/grant.ts";
import type { Services } from "../../../domain/ports.ts";
import {
  type Agent,
  type BiddingWorld,
  openBiddingWorld,
} from "../../support/bidding_world.ts";
import { OUTSIDE } from "../../support/outside.ts";
import type { TestStoreOptions } from "../../support/store.ts";

/** Where the agents of these tests are told. */
export const URL_TEXT = "https://agent.example/hooks";

const SCOPES_OF_TESTS: readonly Scope[] = ["account:read", "reports:read"];

/** A message that came. */
export interface Taken {
  url: string;
  id: string;
  timestampS: number;
  /** As many as the header has. */
  signatures: string[];
  body: string;
}

/** Whoever is told. */
export class Receiver {
  readonly came: Taken[] = [];
  /** What it answers; null for nothing at all. */
  status: number | null = 204;
  /** What it waits for before that. */
  before: (url: string) => Promise<void> = () => Promise.resolve();

  readonly notify = async (
    url: string,
    { body, headers }: Message,
  ): Promise<number> => {
    this.came.push({
      url,
      id: headers["webhook-id"] ?? "",
      timestampS: Number(headers["webhook-timestamp"]),
      signatures: (headers["webhook-signature"] ?? "").split(" "),
      body,
    });
    await this.before(url);
    if (this.status === null) throw new FetchRefused();
    return this.status;
  };
}

/** The world of one test. */
export interface CallbackWorld extends AsyncDisposable {
  world: BiddingWorld;
  services: Services;
  receiver: Receiver;
  /** An agent that is told at an address, and the secret it was given. */
  told(
    name: string,
    options?: { scopes?: readonly Scope[]; url?: string },
  ): Promise<{ agent: Agent; secret: string }>;
  callback(agent: Agent): Promise<Callback>;
}

/** Opens a world without an auction. */
export async function openCallbackWorld(
  options: TestStoreOptions = {},
): Promise<CallbackWorld> {
  const world = await openBiddingWorld({ ...options, opened: false });
  const receiver = new Receiver();
  const fetcher = { ...OUTSIDE.fetcher, notify: receiver.notify };
  const services = { ...world.services, fetcher };
  return {
    world,
    services,
    receiver,
    async told(name, { scopes = SCOPES_OF_TESTS, url } = {}) {
      const agent = await world.agent(name, { scopes });
      const { value } = await setCallback(services, wish(agent, url));
      assert(value.secret !== null, "a first secret is said");
      return { agent, secret: value.secret };
    },
    async callback({ grant }) {
      const found = await services.store.callbacks.find(grant.id);
      assert(found !== null, "it is told somewhere");
      return found;
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

/** The wish of an agent to be told at an address. */
export function wish(
  { account, grant, lineId }: Agent,
  url: string | null = URL_TEXT,
  rotates = false,
): Parameters<typeof setCallback>[1] {
  const by = { grant: { id: grant.id, lineId } };
  const accountId = account.id;
  return { accountId, grantId: grant.id, by, url, rotates, binding: null };
}
