/**
 * How addresses may be written and asked for, at every operation there is.
 *
 * @module
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import {
  type EveryRoute,
  openEveryRoute,
  type Operation,
} from "../support/every_route.ts";
import { rawRequest, sendRaw } from "../support/raw_http.ts";

/** An answer with its body read. */
interface Answered {
  status: number;
  headers: Headers;
  text: string;
}

async function answered(
  every: EveryRoute,
  operation: Operation,
  headers: Record<string, string>,
  method = operation.method,
): Promise<Answered> {
  const answer = await every.ask(operation, {
    method,
    headers: { accept: "text/html", ...headers },
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, text };
}

Deno.test("HEAD works wherever GET does, without a body", async () => {
  await using every = await openEveryRoute();
  const { cookie } = every;
  for (const operation of every.operations) {
    if (operation.method !== "GET") continue;
    const got = await answered(every, operation, { cookie });
    const head = await answered(every, operation, { cookie }, "HEAD");
    assertEquals([head.status, head.text], [got.status, ""], operation.name);
    const type = (of: Answered) => of.headers.get("content-type");
    assertEquals(type(head), type(got), operation.name);
  }
});

Deno.test("a slash at the end of a path that is read leads to the path, with its query", async () => {
  await using every = await openEveryRoute();
  const { cookie } = every;
  let redirected = 0;
  for (const operation of every.operations) {
    const { name, url, path, method } = operation;
    if (method !== "GET" || path === "/") continue;
    const slashed = { ...operation, url: `${url}/?a=b&c=%2F` };
    const plain = await answered(every, operation, { cookie });
    for (const sent of ["GET", "HEAD"]) {
      const { status, headers } = await answered(every, slashed, {
        cookie,
      }, sent);
      // Who has no token is told so before a path is known to exist.
      if (plain.status === 401) {
        assertEquals(status, 401, name);
        continue;
      }
      redirected += 1;
      const { pathname } = new URL(url);
      assertEquals(
        [status, headers.get("location")],
        [308, `${pathname}?a=b&c=%2F`],
        name,
      );
    }
  }
  assert(redirected > 100, String(redirected));
});

Deno.test("a slash too many is no way to another host, and takes no body along", async () => {
  await using every = await openEveryRoute();
  const { baseUrl } = every.running.config.settings;
  const port = +new URL(baseUrl).port;
  const send = (target: string, method = "GET") =>
    sendRaw(
      port,
      rawRequest(
        target,
        [`Host: localhost:${port}`, "Content-Length: 0"],
        method,
      ),
    );
  for (
    const target of [
      "//evil.example/",
      "//evil.example//",
      "/%2Fevil.example/",
      "/\\evil.example/",
      "/spotlights/\\evil.example/",
      "/spotlights//",
      "/spotlights/%E4/",
      "/spotlights/2026-11-19/?next=//evil.example",
      "/nowhere/",
    ]
  ) {
    const answer = await send(target);
    const location = /^location: (.*)\r$/m.exec(answer)?.[1] ?? "/";
    assertMatch(location, /^\/(?![\/\\])/, target);
    assert(!/^HTTP\/1.1 5/.test(answer), target);
  }
  for (const target of ["/sign-in/", "/ask/", "/checkout_sessions/", "/mcp/"]) {
    const answer = await send(target, "POST");
    assert(!/^location:/m.test(answer), target);
    assert(!/^HTTP\/1.1 (2|3|5)/.test(answer), target);
  }
});
