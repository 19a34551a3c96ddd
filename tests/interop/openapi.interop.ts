/**
 * openapi.json before linters and generators of others: what they complain of,
 * and whether an agent gets by with what they make of it.
 */
import { assertEquals } from "@std/assert";
import { BIDDERS_MANDATE, readyToBid } from "./support/bidder.ts";
import { settleOne } from "./support/mcp_three.ts";
import { npmFolder, runNode } from "./support/npm_folder.ts";
import { registerStrict } from "./support/strict_client.ts";
import { type InteropWorld, inWorld } from "./support/world.ts";

/** A folder with the tools, and the document that the service publishes. */
async function documentFolder({ baseUrl }: InteropWorld): Promise<string> {
  const folder = await npmFolder("openapi");
  const answer = await fetch(`${baseUrl}/openapi.json`);
  await Deno.writeTextFile(`${folder}openapi.json`, await answer.text());
  return folder;
}

/** Somebody who may bid, and a token of theirs. */
async function bidder(world: InteropWorld) {
  const agent = await registerStrict(world, "Generated client");
  const scope = "account:read bids:read bids:write";
  const begun = await agent.begin({ scope });
  await world.user("ada").authorize(begun.url, { mandate: BIDDERS_MANDATE });
  const tokens = await agent.redeem(begun, agent.accept(begun));
  const token = tokens.access_token;
  const { user_id } = await (await agent.call("/v1/agent/me", token)).json();
  return { token, ...await readyToBid(world, user_id) };
}

/** What the linters say of a document. */
async function lint(folder: string, document: unknown) {
  const text = JSON.stringify(document);
  await Deno.writeTextFile(`${folder}openapi.json`, text);
  const { redocly, spectral } = JSON.parse(
    await runNode(folder, "lint.js", null),
  );
  return [...redocly, ...spectral];
}

Deno.test("redocly and spectral find no error in openapi.json by their recommended rules, and nothing to warn of", async () => {
  await inWorld(async ({ baseUrl, authUrl }) => {
    const folder = await npmFolder("openapi");
    const text = await (await fetch(`${baseUrl}/openapi.json`)).text();
    // A rule wants no address of this machine; real ones are others.
    const document = JSON.parse(
      text.replaceAll(baseUrl, "https://spotlight.example")
        .replaceAll(authUrl, "https://api.spotlight.example"),
    );
    assertEquals(await lint(folder, document), []);
    const { contact: _, license: __, ...info } = document.info;
    const found = await lint(folder, { ...document, info });
    assertEquals(found.map((each: string) => each.split(" ")[1]).toSorted(), [
      "info-contact",
      "info-license",
    ]);
  });
});

Deno.test("clients by openapi-typescript and by orval compile strictly, and an agent bids with each", async () => {
  for (const program of ["walk_fetch.mjs", "walk_orval.mjs"]) {
    await inWorld(async (world) => {
      await settleOne(world);
      // With the addresses of this service in it.
      const folder = await documentFolder(world);
      const made = await runNode(folder, "generate.js", null);
      const complaints = made.trimEnd().split("\n").at(-1) ?? "";
      assertEquals(JSON.parse(complaints), []);
      const { baseUrl, authUrl } = world;
      const { day, ...who } = await bidder(world);
      const given = { baseUrl, authUrl, day, ...who };
      const told = JSON.parse(await runNode(folder, program, given));
      assertEquals({ ...told, headline: typeof told.headline }, {
        headline: "string",
        results: "CreativeWork",
        ready: "ready",
        counts: [1, 1],
        refused: "CONFLICT",
        own: [1000],
      });
    });
  }
});
