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
async function bidder(world: InteropWorld, name: string) {
  const agent = await registerStrict(world, "Generated client");
  const scope = "account:read bids:read bids:write";
  const begun = await agent.begin({ scope });
  await world.user(name).authorize(begun.url, { mandate: BIDDERS_MANDATE });
  const tokens = await agent.redeem(begun, agent.accept(begun));
  const token = tokens.access_token;
  const { user_id } = await (await agent.call("/v1/agent/me", token)).json();
  return { token, ...await readyToBid(world, user_id) };
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
    const { contact: _, license: __, ...info } = document.info;
    const documents = { sound: document, faulty: { ...document, info } };
    for (const [name, each] of Object.entries(documents)) {
      await Deno.writeTextFile(folder + name, JSON.stringify(each));
    }
    const [sound, faulty] = JSON.parse(
      await runNode(folder, "lint.js", Object.keys(documents)),
    );
    assertEquals(sound, []);
    const rules = faulty.map((each: string) => each.split(" ")[0]);
    assertEquals(rules.toSorted(), ["info-contact", "info-license"]);
  });
});

Deno.test("clients by openapi-typescript and by orval compile strictly, and an agent bids with each", async () => {
  await inWorld(async (world) => {
    await settleOne(world);
    const folder = await documentFolder(world);
    const made = await runNode(folder, "generate.js", null);
    const complaints = made.trimEnd().split("\n").at(-1) ?? "";
    assertEquals(JSON.parse(complaints), []);
    const { baseUrl, authUrl } = world;
    const walks = { ada: "walk_fetch.mjs", bo: "walk_orval.mjs" };
    for (const [at, [name, program]] of Object.entries(walks).entries()) {
      const given = { baseUrl, authUrl, ...await bidder(world, name) };
      const told = JSON.parse(await runNode(folder, program, given));
      assertEquals({ ...told, headline: typeof told.headline }, {
        headline: "string",
        results: "CreativeWork",
        ready: "ready",
        counts: [at + 1, at + 1],
        refused: "CONFLICT",
        own: [1000],
      });
    }
  });
});
