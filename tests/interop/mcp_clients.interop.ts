/**
 * Clients of the MCP project, old and new, against the three servers of a
 * running service: what they agree on, and everything a server offers.
 */
import { assert, assertEquals } from "@std/assert";
import {
  Client,
  StreamableHTTPClientTransport,
  type VersionNegotiationMode,
} from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import {
  addressOf,
  advertiserToken,
  type ServerName,
  SERVERS,
  settleOne,
} from "./support/mcp_three.ts";
import { type InteropWorld, inWorld } from "./support/world.ts";

const INFO = { name: "interop", version: "1.0.0" };

/** The revisions that servers agree on with clients of 2025. */
const LEGACY: Readonly<Record<ServerName, string>> = {
  documentation: "2025-06-18",
  public: "2025-11-25",
  advertiser: "2025-11-25",
};
const MODERN = "2026-07-28";

/** A connected client, whatever its version. */
type Connected = Pick<
  Client,
  | "listTools"
  | "callTool"
  | "listResources"
  | "readResource"
  | "listPrompts"
  | "getPrompt"
  | "getServerVersion"
  | "close"
>;

/** A way to connect, and the revision that it then speaks. */
interface Connection {
  client: Connected;
  revision: string | undefined;
}

type Headers = Record<string, string>;

/** The clients by name. */
const CLIENTS: Readonly<
  Record<string, (url: string, headers: Headers) => Promise<Connection>>
> = {
  "SDK 1.32": connectOld,
  "client 2.4": (url, headers) => connectNew(url, headers),
  "client 2.4, auto": (url, headers) => connectNew(url, headers, "auto"),
  "client 2.4, pinned": (url, headers) =>
    connectNew(url, headers, { pin: MODERN }),
};

async function connectOld(url: string, headers: Headers): Promise<Connection> {
  const requestInit = { headers };
  const transport = new OldTransport(new URL(url), { requestInit });
  const client = new OldClient(INFO);
  // deno-lint-ignore no-explicit-any -- it is written for looser optionals
  await client.connect(transport as any);
  // deno-lint-ignore no-explicit-any -- the same methods, in older types
  return { client: client as any, revision: transport.protocolVersion };
}

async function connectNew(
  url: string,
  headers: Headers,
  mode?: VersionNegotiationMode,
): Promise<Connection> {
  const requestInit = { headers };
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit,
  });
  const options = mode === undefined ? {} : { versionNegotiation: { mode } };
  const client = new Client(INFO, options);
  await client.connect(transport);
  return { client, revision: client.getNegotiatedProtocolVersion() };
}

/** A call that each server answers, and a member of what it answers. */
const CALLS: Readonly<
  Record<
    ServerName,
    [name: string, given: Record<string, unknown>, has: string]
  >
> = {
  documentation: ["search_docs", { query: "bids" }, "passages"],
  public: ["get_current_spotlight", {}, "data"],
  advertiser: ["get_account", {}, "first_bid"],
};

for (const name of SERVERS) {
  for (const [which, connect] of Object.entries(CLIENTS)) {
    Deno.test(`${which} uses all that the ${name} server offers`, async () => {
      await inWorld(async (world) => {
        await settleOne(world);
        const url = addressOf(world, name);
        const { client, revision } = await connect(
          url,
          await headersFor(world, name),
        );
        try {
          const isNew = which.endsWith("auto") || which.endsWith("pinned");
          assertEquals(revision, isNew ? MODERN : LEGACY[name]);
          assertEquals(client.getServerVersion()?.version, "1.0.0");
          await useTools(client, name);
          await useResources(client);
          if (name !== "documentation") await usePrompts(client);
        } finally {
          await client.close();
        }
      });
    });
  }
}

async function headersFor(
  world: InteropWorld,
  name: ServerName,
): Promise<Headers> {
  if (name !== "advertiser") return {};
  return { authorization: `Bearer ${await advertiserToken(world)}` };
}

async function useTools(client: Connected, server: ServerName): Promise<void> {
  const [name, given, member] = CALLS[server];
  const { tools } = await client.listTools();
  assert(tools.some((tool) => tool.name === name));
  // The client checks the answer against the schema that was listed.
  const result = await client.callTool({ name, arguments: given });
  assertEquals([name, result.isError ?? false], [name, false]);
  const { structuredContent, content } = result;
  const [block] = content as { type: string; text?: string }[];
  assertEquals(JSON.parse(block?.text ?? ""), structuredContent);
  const members = Object.keys(structuredContent ?? {});
  assert(members.includes(member), members.join());
  const refused = await client.callTool({
    name,
    arguments: { ...given, no_such_argument: 1 },
  });
  assertEquals(refused.isError, true);
}

async function useResources(client: Connected): Promise<void> {
  const { resources } = await client.listResources();
  assert(resources.length > 0);
  for (const { uri } of resources) {
    const { contents } = await client.readResource({ uri });
    assertEquals(contents.map((each) => each.uri), [uri]);
  }
}

async function usePrompts(client: Connected): Promise<void> {
  const { prompts } = await client.listPrompts();
  assert(prompts.length > 0);
  for (const { name, arguments: wanted = [] } of prompts) {
    assertEquals(wanted.filter(({ required }) => required), []);
    const { messages } = await client.getPrompt({ name });
    assert(messages.length > 0);
  }
}
