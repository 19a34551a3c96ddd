import { assertEquals, assertStringIncludes } from "@std/assert";
import { renderPublic } from "../../routes/errors/public_surface.ts";
import { eventLog } from "../../routes/event_log.ts";
import { route, type Surface } from "../../routes/route_table.ts";
import { routedHosts } from "../../routes/routed_hosts.ts";
import { notFoundPage } from "../../routes/site/pages/page_routes.tsx";
import { ask } from "../support/bindings.ts";
import { MemoryLines } from "../support/captured_logs.ts";
import { ManualClock } from "../support/clock.ts";

const settings = {
  baseUrl: "https://spotlight.example",
  authUrl: "https://api.spotlight.example",
  docsMcpUrl: "https://docs.spotlight.example/mcp",
};

function surface(paths: readonly `/${string}`[], prefix = ""): Surface {
  return {
    prefix,
    routes: paths.map((path) => route("GET", path, () => new Response(path))),
    answers: { refused: renderPublic },
  };
}

const hosts = routedHosts({
  settings,
  log: eventLog(new MemoryLines(), new ManualClock()),
}, {
  site: [{
    ...surface(["/", "/mcp", "/api/days/:day"]),
    enter: [notFoundPage],
  }],
  auth: [
    surface([]),
    surface(["/v1/agent/me", "/v1/agent/bids/:id"], "/v1/agent"),
    { ...surface(["/v1/few/one"], "/v1/few"), has: "there is only one" },
  ],
  docs_mcp: [surface(["/mcp"])],
});

async function detailAt(host: keyof typeof hosts, path: string) {
  const answer = await ask(hosts[host], path);
  const { status, detail } = await answer.json();
  assertEquals(status, 404);
  return detail;
}

Deno.test("a path that another host has is refused with that host", async () => {
  const onAuth = ": it is on https://api.spotlight.example";
  const onSite = ": it is on https://spotlight.example";
  for (
    const [host, path, said] of [
      ["site", "/v1/agent/me", onAuth],
      ["site", "/v1/agent/bids/bid_1", onAuth],
      ["docs_mcp", "/v1/agent/me", onAuth],
      ["auth", "/api/days/2026-11-20", onSite],
      ["auth", "/mcp", onSite],
      ["docs_mcp", "/", onSite],
      ["site", "/v1/agent/you", ""],
      ["site", "/v1/agent/bids", ""],
      ["auth", "/v1/agent/you", ""],
      ["auth", "/v1/few/two", ": there is only one"],
    ] as const
  ) assertEquals(await detailAt(host, path), `Cannot find "${path}"${said}`);
});

Deno.test("whoever asks for a page where another host has the path is told so on the page", async () => {
  const headers = { accept: "text/markdown, text/html, */*" };
  const textAt = async (path: string) => {
    const answer = await ask(hosts.site, path, { headers });
    assertEquals(answer.status, 404);
    return await answer.text();
  };
  assertStringIncludes(
    await textAt("/v1/agent/me"),
    "does not have the address: it is on https://api.spotlight.example.",
  );
  assertStringIncludes(await textAt("/v1/agent/you"), "may have been mistyped");
});
