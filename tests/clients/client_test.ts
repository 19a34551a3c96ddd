/** The typed client as a program uses it, against a running service. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { createClient, NotReached, Refused } from "../../clients/api/client.js";
import { runService } from "../support/running_service.ts";
import { settle, spotlight } from "../support/public_spotlights.ts";

Deno.test("the client asks for operations by their names, with their types", async () => {
  await using running = await runService();
  const { services, records } = running.service.core;
  await settle(services.store, spotlight("2026-11-18"));
  await records.refreshNow();
  const { baseUrl, authUrl } = running.config.settings;
  const client = createClient({ baseUrl, authUrl });
  const path = { day: "2026-11-18" };
  const { data } = await client.call("readSpotlight", { path });
  const day: string = data.day;
  assertEquals(day, path.day);
  const query = { limit: 5 };
  const page = await client.call("listSpotlights", { query });
  assertEquals(page.data.map((each) => each.day), [day]);
  const headers = { "Idempotency-Key": "a" };
  const job = await client.call("createSandboxJob", { headers });
  assertEquals(job.status, "queued");
  // @ts-expect-error a day is wanted
  await assertRejects(() => client.call("readSpotlight"), TypeError);
  // @ts-expect-error no operation is called so
  await assertRejects(() => client.call("readHoroscope"), TypeError);
});

Deno.test("the client throws what the service says, of every surface", async () => {
  await using running = await runService();
  const { baseUrl, authUrl } = running.config.settings;
  const client = createClient({ baseUrl, authUrl });
  const unknown = await assertRejects(
    () => client.call("readSpotlight", { path: { day: "2020-01-01" } }),
    Refused,
  );
  assertEquals([unknown.status, unknown.code], [404, null]);
  assert(unknown.message.startsWith("Cannot find the Spotlight"));
  const nobody = await assertRejects(() => client.call("readAccount"), Refused);
  assertEquals([nobody.status, nobody.body], [401, null]);
  assert(nobody.challenge?.startsWith("Bearer "));
  const bearer = createClient({ baseUrl, authUrl, token: () => "unknown" });
  const stranger = await assertRejects(
    () => bearer.call("readAccount"),
    Refused,
  );
  assertEquals([stranger.status, stranger.code], [401, "invalid_token"]);
});

Deno.test("the client asks once for another token when one is refused", async () => {
  await using running = await runService();
  const { baseUrl, authUrl } = running.config.settings;
  const asked: (string | undefined)[] = [];
  const client = createClient({
    baseUrl,
    authUrl,
    token(refused) {
      asked.push(refused);
      return `token-${asked.length}`;
    },
  });
  await assertRejects(() => client.call("readAccount"), Refused);
  assertEquals(asked, [undefined, "token-1"]);
});

Deno.test("the client asks for nothing by an id that would lead out of its path", async () => {
  const asked: string[] = [];
  const client = createClient({
    baseUrl: "https://site.example",
    authUrl: "https://auth.example",
    token: () => "token",
    fetch(input) {
      asked.push(String(input));
      return Promise.resolve(new Response("{}", { status: 400 }));
    },
  });
  for (const id of [".", ".."]) {
    const path = { id };
    await assertRejects(
      () => client.call("submitCreative", { path }),
      TypeError,
      "path.id is no name",
    );
  }
  assertEquals(asked, []);
  for (const id of ["../..", "..%2f", "%2e%2e", "a/../b", "...", "?", "#"]) {
    const path = { id };
    await assertRejects(() => client.call("submitCreative", { path }), Refused);
    const { pathname } = new URL(asked.pop() ?? "");
    assertEquals(pathname.split("/").length, 6, pathname);
    assertEquals(pathname.endsWith("/submit"), true, pathname);
  }
});

Deno.test("the client waits no longer than it is told, follows no redirect and reads no end of an answer", async () => {
  const options = { hostname: "127.0.0.1", port: 0, onListen() {} };
  await using server = Deno.serve(options, ({ url }) => {
    const { pathname } = new URL(url);
    if (pathname.endsWith("/sandbox")) return Response.redirect("http://a/");
    const isEndless = pathname.endsWith("/spotlight");
    return new Response(
      new ReadableStream({
        pull(controller) {
          if (!isEndless) return new Promise(() => {});
          controller.enqueue(new Uint8Array(1024 * 1024));
        },
      }),
    );
  });
  const baseUrl = `http://127.0.0.1:${server.addr.port}`;
  const client = createClient({ baseUrl, timeLimitMs: 2_000 });
  for (const name of ["readSandbox", "readCurrentSpotlight"] as const) {
    await assertRejects(() => client.call(name), NotReached, "Cannot reach");
  }
  const late = createClient({ baseUrl, timeLimitMs: 20 });
  const notInTime = "did not answer in time";
  await assertRejects(() => late.call("listSpotlights"), NotReached, notInTime);
  const query = { query: "a", streaming: true };
  const stream = late.stream("ask", { query });
  await assertRejects(() => stream.next(), NotReached, notInTime);
});
