/** What llms.txt says beside its recipes, in development and elsewhere. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { llmsText } from "../../../routes/discovery/text_documents.ts";
import { BID_SETTINGS } from "../../support/bidding_world.ts";
import { runService } from "../../support/running_service.ts";

Deno.test("llms.txt says which client to take, and leads to sections that there are", async () => {
  await using running = await runService();
  const { baseUrl } = running.config.settings;
  const text = await (await fetch(`${baseUrl}/llms.txt`)).text();
  const start = text.indexOf("## Clients");
  const parts = text.slice(start, text.indexOf("## Documentation"));
  const links = [...parts.matchAll(/^- \[(.+?)\]\((.+?)\)/gm)]
    .map(([, title, url = ""]) => [title, new URL(url)] as const);
  assertEquals(links.map(([title]) => title), [
    "Which client to take",
    "Command line and typed client",
    "Whom to sign in as",
    "Which VAT ids pass",
    "Close and settle a day",
    "Payment tokens",
  ]);
  for (const [title, { pathname, hash }] of links) {
    const answer = await fetch(baseUrl + pathname, {
      headers: { accept: "text/html" },
    });
    assertEquals(answer.status, 200, title);
    const html = await answer.text();
    if (hash !== "") assertStringIncludes(html, `id="${hash.slice(1)}"`, title);
  }
});

Deno.test("llms.txt says nothing of development where money is real", () => {
  const text = llmsText({ ...BID_SETTINGS, environment: "production" });
  assert(!text.includes("evelopment"), text);
  assertStringIncludes(text, "## Clients");
});
