import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { runService } from "../../support/running_service.ts";

const BROWSER = { headers: { accept: "text/html,*/*;q=0.8" } };

Deno.test("the other hosts answer a browser's unknown address with a page in the site's look, and programs with a problem", async () => {
  await using running = await runService();
  const { authUrl, docsMcpUrl } = running.config.settings;
  for (const host of [authUrl, new URL(docsMcpUrl).origin]) {
    const page = await fetch(`${host}/nowhere`, BROWSER);
    assertEquals(page.status, 404);
    const html = await page.text();
    assertStringIncludes(html, "There is no such page");
    const [, style = ""] = /<link rel="stylesheet" href="([^"]+)"/.exec(html) ??
      [];
    const styled = await fetch(host + style, { redirect: "manual" });
    assertEquals(styled.status, 200, host);
    await styled.body?.cancel();
    const problem = await fetch(`${host}/nowhere`);
    assertEquals(problem.status, 404);
    assertEquals(
      problem.headers.get("content-type"),
      "application/problem+json",
    );
    await problem.body?.cancel();
  }
});

Deno.test("the root of the API host leads a browser to the site", async () => {
  await using running = await runService();
  const { authUrl, baseUrl } = running.config.settings;
  const answer = await fetch(`${authUrl}/`, { ...BROWSER, redirect: "manual" });
  assertEquals(answer.status, 303);
  assertEquals(answer.headers.get("location"), `${baseUrl}/`);
});

Deno.test("the page about a faulty authorization request has the site's look, from its own host alone", async () => {
  await using running = await runService();
  const { authUrl } = running.config.settings;
  const answer = await fetch(`${authUrl}/oauth/authorize?x=1`, BROWSER);
  assertEquals(answer.status, 400);
  const html = await answer.text();
  assertStringIncludes(html, '<a class="wordmark" href="/"');
  assertStringIncludes(html, "Nothing was shared");
  assert(!/<script|http-equiv/.test(html));
  for (
    const [, path = ""] of html.matchAll(
      /<link rel="(?:stylesheet|preload|icon)" href="([^"]+)"/g,
    )
  ) {
    const file = await fetch(authUrl + path, { redirect: "manual" });
    assertEquals(file.status, 200, path);
    await file.body?.cancel();
  }
  const policy = answer.headers.get("content-security-policy") ?? "";
  for (
    const part of [
      "default-src 'none'",
      "style-src 'self'",
      "form-action 'none'",
    ]
  ) {
    assertStringIncludes(policy, part);
  }
  assert(!policy.includes("script-src"));
});
