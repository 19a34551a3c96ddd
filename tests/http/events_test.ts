/** Events through a whole service: a request that waits, a message, a stop. */
import { assert, assertEquals } from "@std/assert";
import { createHmac } from "node:crypto";
import { createAgent } from "../support/bidding_world.ts";
import { seen } from "../support/captured_logs.ts";
import { type RunningService, runService } from "../support/running_service.ts";
import { removed, tell } from "../support/told_events.ts";

const scopes = ["account:read", "account:write", "reports:read"] as const;

/** A service, an agent of it, and how that one asks. */
async function openWorld() {
  const running = await runService({ graceMs: 10_000 });
  const { services } = running.service.core;
  const agent = await createAgent(services, "ada", { scopes });
  const { authUrl } = running.config.settings;
  const ask = (path: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    headers.set("authorization", `Bearer ${agent.accessToken}`);
    const request = new Request(`${authUrl}${path}`, { ...init, headers });
    seen.noteRequest(request, null);
    return fetch(request);
  };
  return { running, services, agent, ask };
}

/** Asks and is waiting, as far as another request that is answered can tell. */
async function waiting(
  ask: (path: string) => Promise<Response>,
): Promise<Promise<Response>[]> {
  const answered = ask("/v1/agent/events?wait=25");
  await (await ask("/v1/agent/me")).body?.cancel();
  return [answered];
}

async function stopped(running: RunningService): Promise<void> {
  await running[Symbol.asyncDispose]();
}

Deno.test("a request that waits is answered by the event of a commit, through the whole service", async () => {
  const { running, services, agent, ask } = await openWorld();
  try {
    const [answered] = await waiting(ask);
    await tell(services, agent.account.id, removed("a"));
    const { items } = await (await answered)?.json();
    assertEquals(items[0].data, { day: "a" });
  } finally {
    await stopped(running);
  }
});

Deno.test("a service that stops answers who waits for events, and does not wait for them", async () => {
  const { running, ask } = await openWorld();
  const [answered] = await waiting(ask);
  await stopped(running);
  const answer = await answered;
  // It had begun to wait, or came too late to begin.
  assert(answer?.status === 200 || answer?.status === 503);
  const { items = [] } = await answer.json();
  assertEquals(items, []);
});

Deno.test("an event is sent to an agent's address once it is committed, signed", async () => {
  const { running, services, agent, ask } = await openWorld();
  const came = Promise.withResolvers<{ headers: Headers; body: string }>();
  const receiver = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    async (request) => {
      const { headers } = request;
      came.resolve({ headers, body: await request.text() });
      return new Response(null, { status: 204 });
    },
  );
  try {
    const url = `http://127.0.0.1:${receiver.addr.port}/hooks`;
    const set = await ask("/v1/agent/events/callback", {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ url }),
    });
    const { secret } = await set.json();
    await tell(services, agent.account.id, removed("a"));
    const { headers, body } = await came.promise;
    const key = Uint8Array.fromBase64(secret.slice("whsec_".length));
    const signed = ["webhook-id", "webhook-timestamp"]
      .map((name) => headers.get(name)).join(".");
    const mac = createHmac("sha256", key).update(`${signed}.${body}`);
    assertEquals(
      headers.get("webhook-signature"),
      `v1,${mac.digest("base64")}`,
    );
    assertEquals(JSON.parse(body).data, { day: "a" });
  } finally {
    await receiver.shutdown();
    await stopped(running);
  }
});
