/**
 * What the agent API and the advertiser's tools answer, byte for byte: whoever
 * changes how they are made sees what changed on the wire.
 */
import { createGrant } from "../../tools/demo/create_grant.ts";
import type { AgentApi } from "../support/agent_api.ts";
import { openAgentApi } from "../support/agent_api.ts";
import type { Agent } from "../support/bidding_world.ts";
import { rpc } from "../support/mcp_agent.ts";
import { askRest, bidTwin, type TwinWorld } from "../support/twins.ts";
import {
  bids,
  changes,
  creatives,
  openGolden,
  reads,
  REQUESTS,
  type Step,
  without,
} from "./agent_steps.ts";
import { assertGolden, Recording } from "./golden.ts";

/** How a surface takes a step. */
interface Surface {
  name: string;
  takes(step: Step): boolean;
  ask(api: AgentApi, as: Agent, step: Step): Promise<Response>;
}

const REST: Surface = {
  name: "requests",
  takes: () => true,
  ask: askRest,
};

const TOOLS: Surface = {
  name: "tools",
  takes: ({ tool }) => tool !== "",
  ask: (api, as, { tool, given }) =>
    rpc(api, "tools/call", { name: tool, arguments: given }, { as }),
};

/** Takes the steps, once over the surface and, told again, over the other. */
async function take(
  { api, ada, bob }: TwinWorld,
  kept: Recording,
  surface: Surface,
  steps: readonly Step[],
): Promise<void> {
  for (const step of steps.filter(surface.takes)) {
    api.world.clock.advance(10_000); // the bucket is filled again
    const { as, tool, given, rest, body, key } = step;
    const asked = surface === REST
      ? `${rest} ${JSON.stringify({ key, body })}`
      : `${tool} ${JSON.stringify(given)}`;
    const who = as === "ada" ? ada : bob;
    await kept.answer(`${as}: ${asked}`, await surface.ask(api, who, step));
  }
}

/** The id that the first of a list has. */
async function idIn(
  { api, ada }: TwinWorld,
  path: string,
  name: string,
): Promise<string> {
  api.world.clock.advance(10_000);
  const answer = await api.ask(`/v1/agent/${path}`, { as: ada });
  const said = await answer.json();
  return String((said.bids ?? said.items ?? [said])[0][name]);
}

/** Sealed bytes are of a link that is new in every run. */
function withoutSeals(_name: string, value: unknown): unknown {
  const isSealed = typeof value === "object" && value !== null &&
    "sealKeyId" in value;
  return isSealed ? { ...value, answer: "(sealed)" } : value;
}

for (const surface of [REST, TOOLS]) {
  Deno.test(`every reading over ${surface.name} answers the bytes it always did`, async () => {
    await using world = await openGolden();
    const { api, ada, bob } = world;
    const kept = new Recording();
    await (await askRest(api, ada, bidTwin(ada))).body?.cancel();
    const placed = await askRest(api, bob, bidTwin(bob));
    await placed.body?.cancel();
    const { bids: own } = await (await api.ask(
      "/v1/agent/bids?day=2026-11-20",
      { as: bob },
    )).json();
    const list = await api.ask("/v1/agent/invoices?limit=1", { as: ada });
    const { next_cursor: cursor } = await list.json();
    const ids = {
      own: await idIn(world, "bids?day=2026-11-20", "id"),
      others: own[0].id,
      cursor,
    };
    await take(world, kept, surface, reads(world, ids));
    await assertGolden(`reads_over_${surface.name}.txt`, kept.text());
  });

  Deno.test(`every change over ${surface.name} answers the bytes it always did`, async () => {
    await using world = await openGolden();
    const { api, ada } = world;
    const kept = new Recording();
    await take(world, kept, surface, bids(world));
    const [first, ...rest] = creatives(world, "").slice(0, 1);
    if (first !== undefined) await take(world, kept, surface, [first, ...rest]);
    const draft = await idIn(world, "creatives?limit=1", "ad_id");
    await take(world, kept, surface, creatives(world, draft).slice(1));
    const { "4444": pm = "" } = await api.ids(ada);
    const { grant } = await createGrant(api.world.services, {
      accountId: ada.account.id,
      clientId: "https://other.example/client.json",
      scopes: ["account:read"],
      mandate: null,
    });
    await take(world, kept, surface, changes(world, { pm, grant: grant.id }));
    const rows = api.world.testStore.realKv.list({ prefix: ["idempotency"] });
    for await (const { key, value } of rows) {
      kept.add(JSON.stringify(key), JSON.stringify(value, withoutSeals, 1));
    }
    await assertGolden(`changes_over_${surface.name}.txt`, kept.text());
  });

  Deno.test(`every operation over ${surface.name} is refused in the bytes it always was`, async () => {
    await using api = await openAgentApi();
    const kept = new Recording();
    for (const [scope, tool, rest] of REQUESTS) {
      const name = rest.replaceAll(/\W/g, "");
      const as = await api.world.agent(name, { scopes: without(scope) });
      const step: Step = { as: "ada", tool, rest, given: {} };
      if (!surface.takes(step)) continue;
      const asked = surface === REST ? rest : tool;
      await kept.answer(asked, await surface.ask(api, as, step));
    }
    const ada = await api.world.agent("ada");
    const step: Step = { as: "ada", ...bidTwin(ada) };
    const fault = { kind: "fail_before" } as const;
    api.world.testStore.kv.inject({ on: "commit", fault });
    await kept.answer("no store", await surface.ask(api, ada, step));
    for (let left = 130; left > 0; left--) {
      const answer = await surface.ask(api, ada, step);
      if (answer.status !== 429) await answer.body?.cancel();
      else {
        await kept.answer("empty bucket", answer);
        break;
      }
    }
    const path = surface === REST ? "/v1/agent/me" : "/mcp";
    await kept.answer(
      "no such method",
      await api.ask(path, {
        method: surface === REST ? "PUT" : "GET",
        as: ada,
      }),
    );
    await kept.answer("no such path", await api.ask(`${path}/x`, { as: ada }));
    await kept.answer("no token", await api.ask(path, { method: "POST" }));
    await kept.answer("slash", await api.ask(`${path}/`, { as: ada }));
    await assertGolden(`refusals_over_${surface.name}.txt`, kept.text());
  });
}

Deno.test("reports as tables, HEAD and bodies of any shape are answered in the bytes they always were", async () => {
  await using world = await openGolden();
  const { api, ada } = world;
  const kept = new Recording();
  const csv = { accept: "text/csv" };
  for (const path of ["reports?limit=1", "reports", "reports/2026-11-16"]) {
    const asked = { as: ada, headers: csv };
    await kept.answer(path, await api.ask(`/v1/agent/${path}`, asked));
  }
  for (const path of ["me", "bids?day=2026-11-20", "reports"]) {
    const asked = { as: ada, method: "HEAD" };
    await kept.answer(path, await api.ask(`/v1/agent/${path}`, asked));
  }
  const json = { "content-type": "application/json" };
  const key = { "idempotency-key": "k" };
  const bodies: readonly (readonly [HeadersInit, string])[] = [
    [{ ...json, ...key }, "{"],
    [{ ...json, ...key }, '{"a":1,"a":1}'],
    [{ ...json, ...key }, '{"__proto__":1}'],
    [{ "content-type": "text/plain", ...key }, "{}"],
    [json, "{"],
    [{ ...json, "idempotency-key": "a b" }, "{"],
    [{ ...json, ...key }, `"${"a".repeat(20_000)}"`],
  ];
  for (
    const operation of [
      "POST bids",
      "POST creatives",
      "PATCH creatives/x",
      "PATCH me",
    ]
  ) {
    const [method = "", path = ""] = operation.split(" ");
    for (const [headers, body] of bodies) {
      api.world.clock.advance(10_000);
      const asked = { as: ada, method, headers, body };
      const title = `${operation} ${JSON.stringify(headers)} ${
        body.slice(0, 20)
      }`;
      await kept.answer(title, await api.ask(`/v1/agent/${path}`, asked));
    }
  }
  await assertGolden("bodies_over_requests.txt", kept.text());
});
