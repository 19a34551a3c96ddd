import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { SCOPES } from "../../../../domain/oauth/grant.ts";
import { readDocuments } from "../../../../documents.ts";
import { runService } from "../../../support/running_service.ts";

Deno.test("the documents that metadata names are served", async () => {
  await using running = await runService();
  const { baseUrl, authUrl } = running.config.settings;
  const metadata = await (
    await fetch(`${authUrl}/.well-known/oauth-authorization-server`)
  ).json();
  for (
    const name of ["service_documentation", "op_policy_uri", "op_tos_uri"]
  ) {
    const address = metadata[name];
    assert(address.startsWith(baseUrl));
    const answer = await fetch(address);
    const text = await answer.text();
    assertEquals(answer.status, 200, address);
    assert(!/\{(base|auth)_url\}/.test(text), address);
  }
});

Deno.test("/privacy and /terms are pages with headings, paragraphs and links", async () => {
  await using running = await runService();
  const { baseUrl } = running.config.settings;
  for (const path of ["/privacy", "/terms"]) {
    const answer = await fetch(`${baseUrl}${path}`);
    assertEquals(
      answer.headers.get("content-type"),
      "text/html; charset=utf-8",
    );
    const html = await answer.text();
    assert(/<h1>[^<]+<\/h1>/.test(html));
    assert(/<h2>[^<]+<\/h2>/.test(html));
    assertStringIncludes(html, `<a href="${baseUrl}/`);
    assert(!/[#*`]{2}|\]\(/.test(html), "Markdown is left in the page");
  }
});

Deno.test("/auth.md is what scanners look for and names every scope", async () => {
  const documents = await readDocuments();
  const text = documents["/auth.md"] ?? "";
  assert(/^# .*auth\.md/.test(text));
  for (const scope of SCOPES) assertStringIncludes(text, `| \`${scope}\` |`);
});
