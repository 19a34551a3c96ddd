/**
 * How addresses may be written and asked for, at every operation there is.
 *
 * @module
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import {
  type Answered,
  answered,
  openEveryRoute,
} from "../support/every_route.ts";
import { assetRoutes } from "../../routes/site/pages/asset_routes.ts";
import { rawRequest, sendRaw } from "../support/raw_http.ts";

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
    // Pages that read much are counted by account.
    every.clock.advance(5_000);
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
      "//well-known/oauth-protected-resource/",
      "//.well-known/oauth-protected-resource/",
      "//spotlights/",
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
    const isOthers = target.startsWith("//");
    assert(!isOthers || !/^HTTP\/1.1 3/.test(answer), target);
  }
  for (const target of ["/sign-in/", "/ask/", "/checkout_sessions/", "/mcp/"]) {
    const answer = await send(target, "POST");
    assert(!/^location:/m.test(answer), target);
    assert(!/^HTTP\/1.1 (2|3|5)/.test(answer), target);
  }
});

Deno.test("a path of the website on the API host leads to the website, with its query", async () => {
  await using every = await openEveryRoute();
  const { baseUrl, authUrl } = every.running.config.settings;
  const pages = every.operations.filter(({ host, method, path }) =>
    host === "site" && method === "GET" && !OTHERS.test(path) &&
    !FILES.includes(path)
  );
  assert(pages.length > 40, String(pages.length));
  for (const page of pages) {
    const { pathname } = new URL(page.url);
    const there = { ...page, url: `${authUrl}${pathname}?a=b&c=%2F%2Fevil` };
    for (const method of ["GET", "HEAD"]) {
      const { status, headers } = await answered(every, there, {}, method);
      assertEquals(
        [status, headers.get("location")],
        [303, `${baseUrl}${pathname}?a=b&c=%2F%2Fevil`],
        page.name,
      );
      assertEquals(headers.get("cache-control"), "no-store");
    }
  }
});

/** What pages look like, which each host has itself. */
const FILES = assetRoutes().map(({ path }) => path);

/** What is no page: APIs, tool servers, counted links, and documents of a host. */
const OTHERS =
  /^\/(api\/v1|ask|mcp|checkout_sessions|operator\/v1|go|\.well-known)(\/|$)/;

Deno.test("the API host leads to no other host, takes no change along and answers nothing of its own twice", async () => {
  await using every = await openEveryRoute();
  const { baseUrl, authUrl } = every.running.config.settings;
  const { host, port } = new URL(authUrl);
  const send = (target: string, method = "GET") =>
    sendRaw(
      +port,
      rawRequest(target, [`Host: ${host}`, "Content-Length: 0"], method),
    );
  const long = `?q=${"a".repeat(3_000)}`;
  for (
    const target of [
      "/billing?next=https://evil.example",
      "/spotlights/\\evil.example",
      "/spotlights/@evil.example",
      "/spotlights/%0d%0aLocation:x",
      `/billing${long}`,
    ]
  ) {
    const answer = await send(target);
    const [, location = ""] = /^location: (.*)\r$/m.exec(answer) ?? [];
    assertEquals(new URL(location).origin, baseUrl, target);
    assert(location.length <= 2_048, target);
  }
  for (const target of ["//evil.example", "/nowhere", "/api/v1/spotlight"]) {
    assertMatch(await send(target), /^HTTP\/1.1 404/, target);
  }
  assertMatch(await send("/billing", "POST"), /^HTTP\/1.1 405/);
  assertMatch(await send("/oauth/authorize"), /^HTTP\/1.1 400/);
});
