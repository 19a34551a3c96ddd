/** What the command line believes of the documents that tell of a service. */
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { createServer } from "node:http";
import { discover } from "../../clients/cli/oauth.js";
import { Stop } from "../../clients/cli/stop.js";

/** Serves a service's two documents, of which the first names this resource. */
async function serving(
  resourceOf: (baseUrl: string) => unknown,
  run: (baseUrl: string, asked: readonly string[]) => Promise<void>,
): Promise<void> {
  const asked: string[] = [];
  const server = createServer(({ url = "", headers }, response) => {
    const baseUrl = `http://${headers.host}`;
    asked.push(url);
    const said = url.endsWith("protected-resource")
      ? {
        resource: resourceOf(baseUrl),
        authorization_servers: [baseUrl],
      }
      : {
        issuer: baseUrl,
        authorization_endpoint: `${baseUrl}/oauth/authorize`,
        token_endpoint: `${baseUrl}/oauth/token`,
        revocation_endpoint: `${baseUrl}/oauth/revoke`,
        code_challenge_methods_supported: ["S256"],
      };
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(said));
  });
  await new Promise<void>((opened) => server.listen(0, "127.0.0.1", opened));
  const { port } = server.address() as { port: number };
  try {
    await run(`http://127.0.0.1:${port}`, asked);
  } finally {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  }
}

Deno.test("the command line takes a service's word where it names the address that was asked", async () => {
  await serving((baseUrl) => baseUrl, async (baseUrl) => {
    assertEquals((await discover(baseUrl)).issuer, baseUrl);
  });
});

for (
  const [what, resourceOf] of [
    ["another address", () => "https://spotlight.example"],
    ["a part of the address", (baseUrl: string) => `${baseUrl}/mcp`],
    ["none", () => undefined],
    ["a list", (baseUrl: string) => [baseUrl]],
  ] as const
) {
  Deno.test(`the command line asks no server of a document whose resource is ${what} instead of the address that was asked`, async () => {
    await serving(resourceOf, async (baseUrl, asked) => {
      const stop = await assertRejects(() => discover(baseUrl), Stop);
      assertStringIncludes(
        stop.message,
        `The document of ${baseUrl} is not about this address`,
      );
      assertStringIncludes(stop.advice ?? "", "Check --url");
      assertEquals(asked, ["/.well-known/oauth-protected-resource"]);
    });
  });
}
