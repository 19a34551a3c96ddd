/** How the published documents are made, for readers and for search. */
import { assert, assertEquals } from "@std/assert";
import { DOCS_PATHS } from "../../domain/retrieval/docs_pages.ts";
import { headingSlug } from "../../domain/retrieval/heading_slug.ts";
import { settle, spotlight } from "../support/public_spotlights.ts";
import { runService } from "../support/running_service.ts";
import {
  DOCUMENT_PATHS,
  documentText,
  fencesOf,
  linksOf,
  sectionsOf,
} from "../support/documents.ts";

/** Words of a section: search cuts it into passages of 150, by its rows. */
const SECTION_WORDS_MAX = 330;
const ADDRESS = /^\{(base|auth|docs_mcp)_url\}/;

for (const path of DOCUMENT_PATHS) {
  Deno.test(`${path} says of every block whether it is run`, () => {
    const marks = fencesOf(documentText(path)).map(({ language, mark }) =>
      `${language} ${mark}`
    );
    const unknown = marks.filter((mark) =>
      !/^(sh run|\w+ shown|js file=\w+\.mjs)$/.test(mark)
    );
    assertEquals(unknown, []);
  });

  Deno.test(`${path} has one title and sections of one topic`, () => {
    const [title, ...sections] = sectionsOf(documentText(path));
    assertEquals(title?.level, 1);
    assertEquals(sections.filter(({ level }) => level < 2 || level > 3), []);
    const long = sections
      .map(({ heading, body }) =>
        [heading, body.match(/[^\s|]+/g)?.length ?? 0] as const
      )
      .filter(([, words]) => words > SECTION_WORDS_MAX);
    assertEquals(long, []);
    const slugs = sections.map(({ heading }) => headingSlug(heading));
    assertEquals(slugs.length, new Set(slugs).size, "a heading stands twice");
  });

  Deno.test(`${path} links to headings that are there`, () => {
    for (const link of linksOf(documentText(path))) {
      const [address = "", fragment] = link.split("#");
      if (fragment === undefined) continue;
      const target = address === "" ? path : address.replace(ADDRESS, "");
      const slugs = sectionsOf(documentText(target)).map(({ slug }) => slug);
      assert(slugs.includes(fragment), `${path} links to ${link}`);
    }
  });
}

Deno.test("the pages that the documentation tools know are published", () => {
  const unpublished = DOCS_PATHS.filter((path) =>
    !DOCUMENT_PATHS.includes(path)
  );
  assertEquals(unpublished, []);
});

Deno.test("every address of ours in the documents answers, and no placeholder is left", async () => {
  await using running = await runService();
  const { baseUrl, authUrl, docsMcpUrl } = running.config.settings;
  const links = new Set<string>();
  for (const path of DOCUMENT_PATHS) {
    const answer = await fetch(`${baseUrl}${path}`);
    const text = await answer.text();
    assertEquals([answer.status, path], [200, path]);
    const left = text.match(
      /\{(base|auth|docs_mcp)_url\}|\{(seller|auction)_\w+\}/,
    );
    assertEquals(left, null, path);
    for (const link of linksOf(text)) links.add(link.split("#")[0] ?? "");
  }
  const own = [...links].filter((link) =>
    [baseUrl, authUrl, docsMcpUrl].some((origin) => link.startsWith(origin))
  );
  assert(own.length > 10, own.join());
  for (const link of own) {
    const answer = await fetch(link, { redirect: "manual" });
    await answer.body?.cancel();
    // Pages of a person's own ask for a sign-in first.
    assert([200, 303].includes(answer.status), `${answer.status} ${link}`);
  }
});

Deno.test("what is told of payments leads to pages that say how to pay, and where that is made up", async () => {
  await using running = await runService();
  const { settings: { baseUrl }, stripe } = running.config;
  const { services, records } = running.service.core;
  await settle(services.store, spotlight("2026-11-18"));
  await records.refreshNow();
  const asked = await fetch(`${baseUrl}/api/v1/spotlights/2026-11-18/metrics`);
  const { docs } = await asked.json();
  const [address, fragment] = docs.split("#");
  const page = await (await fetch(address)).text();
  assert(page.includes(`id="${fragment}"`), docs);
  assert(page.includes(stripe.apiBase ?? "no simulator"), docs);
  const spec = await (await fetch(`${baseUrl}/docs/acp/card_spt`)).text();
  const [, href = ""] = /href="([^"]+)">\s*Every request/.exec(spec) ?? [];
  const [checkout = "", part] = href.split("#");
  assert((await (await fetch(checkout)).text()).includes(`id="${part}"`), href);
});
