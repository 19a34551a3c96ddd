import { assertEquals, assertStringIncludes } from "@std/assert";
import { PROBLEM_TYPES } from "../../../../routes/errors/problem_types.ts";
import { renderPublic } from "../../../../routes/errors/public_surface.ts";
import { routeTable } from "../../../../routes/route_table.ts";
import { problemPage } from "../../../../routes/site/pages/problem_page.tsx";
import { STYLE_PATH } from "../../../../routes/pages/style.ts";
import { eventLog } from "../../../../routes/event_log.ts";
import { ask } from "../../../support/bindings.ts";
import { ManualClock } from "../../../support/clock.ts";
import { MemoryLines } from "../../../support/captured_logs.ts";

const SETTINGS = {
  baseUrl: "https://spotlight.example",
  authUrl: "https://api.spotlight.example",
};

function siteOf() {
  const log = eventLog(new MemoryLines(), new ManualClock());
  return routeTable({ settings: SETTINGS, log }, [{
    prefix: "",
    routes: [problemPage(SETTINGS.baseUrl)],
    answers: { refused: renderPublic },
  }]);
}

for (
  const [slug, { title, meaning, section }] of Object.entries(PROBLEM_TYPES)
) {
  Deno.test(`GET /problems/${slug} says what the problem means`, async () => {
    const answer = await ask(siteOf(), `/problems/${slug}`);
    assertEquals(answer.status, 200);
    assertEquals(
      answer.headers.get("content-type"),
      "text/html; charset=utf-8",
    );
    const page = await answer.text();
    assertStringIncludes(page, `<h1>${title}</h1>`);
    assertStringIncludes(page, meaning.replaceAll("'", "&#39;"));
    // In the frame of every page: landmarks, phones, light and dark.
    assertStringIncludes(page, '<main id="main">');
    assertStringIncludes(page, STYLE_PATH);
    assertStringIncludes(
      page,
      `"https://spotlight.example/developers#${section}"`,
    );
  });
}

for (const slug of ["unknown", "constructor", "__proto__", "%3Cscript%3E"]) {
  Deno.test(`GET /problems/${slug} is not found`, async () => {
    const answer = await ask(siteOf(), `/problems/${slug}`);
    assertEquals(answer.status, 404);
    assertEquals(
      answer.headers.get("content-type"),
      "application/problem+json",
    );
  });
}
