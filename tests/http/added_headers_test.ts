/**
 * Headers that every answer of a host has, whatever surface it is of.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { PREVIEW, PRODUCTION } from "../support/environments.ts";
import { freePort } from "../support/free_port.ts";
import { rawRequest, sendRaw } from "../support/raw_http.ts";
import { type RunningService, runService } from "../support/running_service.ts";

const SITE = "spotlight.dev";
const AUTH = "api.spotlight.dev";
const DOCS = "docs.spotlight.dev";

/** One answer of every kind: pages, documents, reads, refusals, faults of use. */
const ASKED: readonly [host: string, method: string, target: string][] = [
  [SITE, "GET", "/"],
  [SITE, "HEAD", "/developers"],
  [SITE, "GET", "/style.css"],
  [SITE, "GET", "/sign-in"],
  [SITE, "GET", "/account"],
  [SITE, "GET", "/nowhere"],
  [SITE, "GET", "/api/v1/sandbox"],
  [SITE, "GET", "/api/v1/spotlight"],
  [SITE, "OPTIONS", "/api/v1/spotlight"],
  [SITE, "GET", "/api/v1/spotlights/1999-13-01"],
  [SITE, "DELETE", "/ask"],
  [SITE, "GET", "/ask"],
  [SITE, "GET", "/mcp"],
  [SITE, "POST", "/sign-in"],
  [SITE, "GET", "/go/2026-01-01"],
  [SITE, "POST", "/checkout_sessions"],
  [SITE, "GET", "/operator/v1/jobs"],
  [SITE, "GET", "/healthz"],
  [SITE, "GET", "/readyz"],
  [AUTH, "GET", "/v1/agent/me"],
  [AUTH, "POST", "/oauth/token"],
  [AUTH, "GET", "/oauth/authorize"],
  [AUTH, "GET", "/.well-known/oauth-protected-resource"],
  [AUTH, "POST", "/mcp"],
  [AUTH, "POST", "/webhooks/stripe"],
  [AUTH, "GET", "/nowhere"],
  [DOCS, "POST", "/mcp"],
  [DOCS, "GET", "/nowhere"],
];

async function start(
  env: Record<string, string>,
): Promise<
  [RunningService, (host: string, request: [string, string]) => Promise<string>]
> {
  const PORT = String(freePort());
  const running = await runService({ env: { ...env, PORT } });
  return [
    running,
    (host, [method, target]) =>
      sendRaw(
        +PORT,
        rawRequest(target, [`Host: ${host}`, "Content-Length: 0"], method),
      ),
  ];
}

/** The values of a header in an answer, one for each time it is there. */
function valuesOf(answer: string, name: string): string[] {
  const [head = ""] = answer.split("\r\n\r\n");
  return head.split("\r\n").filter((line) => line.startsWith(`${name}: `))
    .map((line) => line.slice(name.length + 2));
}

const HTTPS = { ...PRODUCTION, STRIPE_API_BASE: "" } as Record<string, string>;

Deno.test("every answer of an https host has HSTS once, whatever surface and status", async () => {
  const [running, ask] = await start(HTTPS);
  await using _service = running;
  for (const [host, method, target] of ASKED) {
    const answer = await ask(host, [method, target]);
    assertEquals(
      valuesOf(answer, "strict-transport-security"),
      ["max-age=31536000"],
      `${method} ${host}${target}`,
    );
    assertEquals(valuesOf(answer, "x-robots-tag"), [], target);
  }
});

Deno.test("no answer of an http host has HSTS", async () => {
  const PORT = String(freePort());
  await using _service = await runService({
    env: {
      PORT,
      BASE_URL: `http://${SITE}`,
      AUTH_URL: `http://${AUTH}`,
      DOCS_MCP_URL: `http://${DOCS}/mcp`,
    },
  });
  for (const [host, method, target] of ASKED) {
    const lines = [`Host: ${host}`, "Content-Length: 0"];
    const answer = await sendRaw(+PORT, rawRequest(target, lines, method));
    assertEquals(valuesOf(answer, "strict-transport-security"), [], target);
  }
});

Deno.test("a preview refuses robots, in robots.txt and in every answer", async () => {
  const [running, ask] = await start({ ...HTTPS, ...PREVIEW as typeof HTTPS });
  await using _service = running;
  const robots = await ask(SITE, ["GET", "/robots.txt"]);
  assertEquals(robots.split("\r\n\r\n")[1], "User-agent: *\nDisallow: /\n");
  for (const [host, method, target] of ASKED) {
    const answer = await ask(host, [method, target]);
    const told = valuesOf(answer, "x-robots-tag");
    assertEquals(told, ["noindex, nofollow"], `${method} ${host}${target}`);
  }
});
