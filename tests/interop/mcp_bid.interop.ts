/**
 * An agent that knows one address places a bid: its library finds out where to
 * ask for a token, its user says yes once, and what it was not allowed then is
 * asked for, or told to who can't ask.
 */
import { assert, assertEquals } from "@std/assert";
import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { Client as Sdk132 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as Transport132 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { Client as Sdk125 } from "@modelcontextprotocol/sdk-1.25/client/index.js";
import { StreamableHTTPClientTransport as Transport125 } from "@modelcontextprotocol/sdk-1.25/client/streamableHttp.js";
import type { Scope } from "../../domain/oauth/grant.ts";
import { AGENT_OPERATIONS } from "../../routes/operations/agent_operations.ts";
import { WORKING_SET } from "../support/working_set.ts";
import { BIDDERS_MANDATE, readyToBid } from "./support/bidder.ts";
import { McpMemory } from "./support/mcp_memory.ts";
import { type InteropWorld, inWorld } from "./support/world.ts";

const INFO = { name: "interop", version: "1.0.0" };

// deno-lint-ignore no-explicit-any -- the libraries keep what they like here
type Memory = McpMemory<any, any, any>;

/** What a tool answered. */
interface Told {
  isError?: boolean;
  // deno-lint-ignore no-explicit-any -- tests compare what they expect of it
  structuredContent?: any;
}

/** A connected client, whatever its version. */
interface Connected {
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(call: {
    name: string;
    arguments: Record<string, unknown>;
  }): Promise<Told>;
  close(): Promise<void>;
}

/** A library's way of connecting and of taking the code it comes back with. */
interface Library {
  connect(url: URL, memory: Memory): {
    connected: Promise<Connected>;
    finish(back: URLSearchParams): Promise<void>;
  };
  /** Whether it asks its user when it is told to ask for more. */
  asksForMore: boolean;
}

/** A client of the SDK that speaks the revisions of 2025. */
function sdk(
  OldClient: typeof Sdk132 | typeof Sdk125,
  Transport: typeof Transport132 | typeof Transport125,
): Library {
  return {
    connect(url, memory) {
      const transport = new Transport(url, { authProvider: memory });
      const client = new OldClient(INFO);
      // deno-lint-ignore no-explicit-any -- it is written for looser optionals
      const connected = client.connect(transport as any).then(() => client);
      return {
        connected: connected as unknown as Promise<Connected>,
        finish: (back) => transport.finishAuth(back.get("code") ?? ""),
      };
    },
    asksForMore: false,
  };
}

/** A client of version 2, of the newest revision or of whatever it begins with. */
function client(pin: string | null): Library {
  return {
    connect(url, memory) {
      const authProvider = memory as unknown as OAuthClientProvider;
      const options = { authProvider };
      const transport = new StreamableHTTPClientTransport(url, options);
      const mode = pin === null
        ? {}
        : { versionNegotiation: { mode: { pin } } };
      const client = new Client(INFO, mode);
      const connected = client.connect(transport).then(() => client);
      return {
        connected: connected as unknown as Promise<Connected>,
        finish: (back) => transport.finishAuth(back),
      };
    },
    asksForMore: true,
  };
}

const LIBRARIES: Readonly<Record<string, Library>> = {
  "SDK 1.25": sdk(Sdk125, Transport125),
  "SDK 1.32": sdk(Sdk132, Transport132),
  "client 2.4": client(null),
  "client 2.4, pinned": client("2026-07-28"),
};

/** An agent of a person who answers whatever they are asked. */
class Agent {
  readonly #memory: Memory;
  readonly #user: ReturnType<InteropWorld["user"]>;
  /** What the person was asked for, each time. */
  readonly asked: string[] = [];
  /** What the person leaves ticked; everything when null. */
  ticks: readonly Scope[] | null = null;

  constructor(readonly world: InteropWorld, readonly library: Library) {
    this.#memory = new McpMemory(world.callback);
    this.#user = world.user("ada");
  }

  /** The scopes of the token it holds. */
  get scopes(): string {
    return this.#memory.tokens()?.scope ?? "";
  }

  /** Does something, being sent to the person as often as that takes. */
  async do<T>(what: (client: Connected) => Promise<T>): Promise<T> {
    const url = new URL(`${this.world.authUrl}/mcp`);
    for (let tries = 0; tries < 3; tries++) {
      this.#memory.authorizationUrl = null;
      const { connected, finish } = this.library.connect(url, this.#memory);
      try {
        const client = await connected;
        const result = await what(client);
        await client.close();
        return result;
      } catch (error) {
        await this.#authorize(finish, error);
      }
    }
    throw new Error("The agent is sent back again and again");
  }

  /** Changes on the agents page what it may do. */
  allow(scopes: readonly Scope[]): Promise<void> {
    return this.#user.changeAgent(scopes);
  }

  async #authorize(
    finish: (back: URLSearchParams) => Promise<void>,
    error: unknown,
  ): Promise<void> {
    const { authorizationUrl } = this.#memory;
    if (authorizationUrl === null) throw error;
    this.asked.push(authorizationUrl.searchParams.get("scope") ?? "");
    await this.#user.authorize(authorizationUrl, {
      mandate: BIDDERS_MANDATE,
      ...this.ticks && { scopes: this.ticks },
    });
    await finish(this.world.callback.take().searchParams);
  }
}

const call =
  (name: string, given: Record<string, unknown> = {}) =>
  (client: Connected): Promise<Told> =>
    client.callTool({ name, arguments: given });

/** The sentence for the user of who can't ask for more. */
function sentence({ baseUrl }: InteropWorld, scope: Scope): string {
  return `Cannot do this: the user has not allowed ${scope}, so ask them to ` +
    `allow it to this agent at ${baseUrl}/agents; then, or if they have since, refresh the token and ` +
    "try again";
}

async function placeABid(world: InteropWorld, library: Library): Promise<void> {
  const agent = new Agent(world, library);
  const listed = await agent.do((client) => client.listTools());
  const names = listed.tools.map(({ name }) => name);
  for (const operation of AGENT_OPERATIONS) {
    if (operation.kind !== "download") assert(names.includes(operation.tool));
  }
  const account = await agent.do(call("get_account"));
  const bid = {
    ...await readyToBid(world, account.structuredContent.user_id),
    amount_cents: 1_000,
    currency: "EUR",
    idempotency_key: "interop-1",
  };
  const placed = await agent.do(call("place_bid", bid));
  assertEquals(placed.isError ?? false, false, JSON.stringify(placed));
  assertEquals(placed.structuredContent.bidCount, 1);
  const again = await agent.do(call("place_bid", bid));
  assertEquals(again.structuredContent, placed.structuredContent);
  const { day } = bid;
  const own = await agent.do(call("list_my_bids", { day }));
  assertEquals(own.structuredContent.bids[0].amount_cents, 1_000);
  assertEquals([agent.asked, agent.scopes], [[WORKING_SET], WORKING_SET]);

  // Once the schemas are known, refusals have to fit them too.
  const refused = await agent.do(async (client) => {
    await client.listTools();
    const more = { amount_cents: 9_000, idempotency_key: "interop-2" };
    return await call("place_bid", { ...bid, ...more })(client);
  });
  assertEquals(refused.isError, true);
  assertEquals(refused.structuredContent.code, "agent.mandate-exceeded");
  assertEquals(refused.structuredContent.limit, 5_000);
}

async function askForMore(
  world: InteropWorld,
  library: Library,
): Promise<void> {
  const agent = new Agent(world, library);
  await agent.do((client) => client.listTools());
  const more = ["billing:read", "billing:write"];
  for (
    const [name, given] of [
      ["list_payment_methods", {}],
      ["request_access", { scopes: more }],
    ] as const
  ) {
    const told = await agent.do(async (client) => {
      await client.listTools();
      return await call(name, given)(client);
    });
    if (library.asksForMore) {
      assertEquals(told.isError ?? false, false, JSON.stringify(told));
      continue;
    }
    assertEquals(told.isError, true);
    const wanted = name === "request_access" ? more : more.slice(0, 1);
    assertEquals(
      told.structuredContent.detail,
      sentence(world, wanted.join(" and ") as Scope),
    );
  }
  const held = library.asksForMore ? [WORKING_SET, ...more] : [WORKING_SET];
  assertEquals(
    agent.scopes.split(" ").toSorted(),
    held.join(" ").split(" ").toSorted(),
  );
  assertEquals(agent.asked.length, library.asksForMore ? 3 : 1);
}

/** What the sentence says works: the user allows it, and a refresh has it. */
async function allowMore(
  world: InteropWorld,
  library: Library,
): Promise<void> {
  const agent = new Agent(world, library);
  agent.ticks = ["account:read"];
  await agent.do(call("get_account"));
  const day = { day: "2026-01-01" };
  const told = await agent.do(call("list_my_bids", day));
  assertEquals(told.structuredContent.detail, sentence(world, "bids:read"));
  await agent.allow(["account:read", "bids:read"]);
  // The client refreshed a moment ago, and its user took a minute.
  world.pass(60_000);
  const own = await agent.do(call("list_my_bids", day));
  assertEquals(own.structuredContent, { bids: [] });
  assertEquals(agent.asked, [WORKING_SET]);
}

for (const [name, library] of Object.entries(LIBRARIES)) {
  Deno.test(`an agent of the ${name} goes from 401 to a standing bid with one consent`, async () => {
    await inWorld((world) => placeABid(world, library));
  });

  Deno.test(`an agent of the ${name} asks its user for more, or is told what the user has to do`, async () => {
    await inWorld((world) => askForMore(world, library));
  });

  if (library.asksForMore) continue;
  Deno.test(`an agent of the ${name} does what it is told to do for more, and gets it`, async () => {
    await inWorld((world) => allowMore(world, library));
  });
}
