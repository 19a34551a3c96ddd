import { assert, assertEquals } from "@std/assert";
import { StoreUnavailable } from "../../../../domain/failure.ts";
import type { Services, Store } from "../../../../domain/ports.ts";
import { openAgentApi } from "../../../support/agent_api.ts";
import { type Agent, BID_DAY } from "../../../support/bidding_world.ts";
import { MemoryLog } from "../../../support/captured_logs.ts";
import { callTool, resultOf, rpc } from "../../../support/mcp_agent.ts";
import { bidTwin } from "../../../support/twins.ts";

const SECRET = "secret detail of the store";

/** The same store, whose transactions end in this. */
function failing(store: Store, thrown: () => Error): Store {
  return new Proxy(store, {
    get: (target, name) =>
      name === "transact"
        ? () => Promise.reject(thrown())
        : Reflect.get(target, name, target),
  });
}

/** The API over services that share a log, and an agent of theirs. */
async function openFailing(thrown: () => Error) {
  const log = new MemoryLog();
  const changes: Partial<Services> = { log };
  const api = await openAgentApi({}, changes);
  const ada = await api.world.agent("ada");
  const { store } = api.world.services;
  const failingApi = await openAgentApi({}, {
    log,
    store: failing(store, thrown),
  });
  return {
    log,
    ada,
    api: failingApi,
    async [Symbol.asyncDispose]() {
      await failingApi[Symbol.asyncDispose]();
      await api[Symbol.asyncDispose]();
    },
  };
}

Deno.test("a tool that throws says Internal error. and nothing else, and the log keeps the arguments out", async () => {
  await using world = await openFailing(() => new TypeError(SECRET));
  const { api, ada, log } = world;
  for (const old of [false, true]) {
    const { given } = bidTwin(ada, { idempotency_key: "my-own-key-77" });
    const params = { name: "place_bid", arguments: given };
    const answer = await rpc(api, "tools/call", params, { as: ada, old });
    assertEquals(answer.status, 200);
    const { content, isError, structuredContent } = await resultOf(answer);
    assertEquals(content, [{ type: "text", text: "Internal error." }]);
    assertEquals([isError, structuredContent], [true, undefined]);
  }
  assertEquals(log.events, ["tool_failed", "tool_failed"]);
  const logged = log.lines.join("\n");
  for (const given of ["my-own-key-77", ada.adId, "1000", BID_DAY]) {
    assert(!logged.includes(given), given);
  }
});

Deno.test("a tool says of a store that does not answer what the agent API says", async () => {
  await using world = await openFailing(() => new StoreUnavailable());
  const { api, ada } = world;
  const told = await callTool(api, ada, "place_bid", bidTwin(ada).given);
  assertEquals([told.isError, told.content.status], [true, 503]);
  assert(told.content.detail.includes("Idempotency-Key"));
});

Deno.test("refused calls log nothing of what was given", async () => {
  const log = new MemoryLog();
  await using api = await openAgentApi({}, { log });
  const ada: Agent = await api.world.agent("ada");
  await callTool(api, ada, "get_bid", { id: "bid_of_somebody" });
  await callTool(api, ada, "get_auction", { day: "not a day" });
  assertEquals(log.lines, []);
});

Deno.test("the log line of a call names the tool, and no name that a caller made up", async () => {
  await using api = await openAgentApi();
  const ada = await api.world.agent("ada");
  for (
    const [name, route] of [
      ["get_auction", "/mcp#get_auction"],
      ["list_invoices", "/mcp#list_invoices"],
      ['","x":"', "/mcp"],
      ["nope", "/mcp"],
    ] as const
  ) {
    for (const old of [false, true]) {
      const params = { name, arguments: { day: BID_DAY } };
      const answer = await rpc(api, "tools/call", params, { as: ada, old });
      await answer.body?.cancel();
      assertEquals(api.trace().route, route);
    }
  }
  const listed = await rpc(api, "tools/list", {}, { as: ada });
  await listed.body?.cancel();
  assertEquals(api.trace().route, "/mcp");
});
