import { assert, assertEquals } from "@std/assert";
import { inflateSync } from "node:zlib";
import { drawPng } from "../../../../adapters/images/draw_png.ts";
import { ICONS } from "../../../../routes/pages/icons.ts";
import { LAMP } from "../../../../routes/pages/style.ts";
import { settledDays } from "../../../support/public_spotlights.ts";
import { openSite } from "../../../support/site_app.ts";
import { runService } from "../../../support/running_service.ts";

const PUBLIC = [
  "/",
  "/spotlights",
  "/spotlights/sandbox",
  "/how-the-auction-works",
  "/advertise",
  "/imprint",
  "/sign-in",
  "/developers",
  "/developers/search",
  "/developers/errors",
  "/developers/contact",
  "/auth",
  "/hosts",
  "/versioning",
  "/privacy",
  "/affiliate",
  "/terms",
  "/problems/invalid-input",
];

Deno.test("every public page says in its head what it is about, each something else", async () => {
  await using running = await runService();
  const { baseUrl } = running.config.settings;
  const said = new Map<string, string>();
  for (const path of PUBLIC) {
    const answer = await fetch(baseUrl + path, {
      headers: { accept: "text/html" },
    });
    const html = await answer.text();
    const [, text = ""] =
      /<meta name="description" content="([^"]*)"/.exec(html) ?? [];
    assert(text.length >= 20 && text.length <= 320, `${path}: ${text}`);
    assertEquals(said.get(text), undefined, `${path} says the same`);
    said.set(text, path);
  }
});

Deno.test("every page names icons, manifest and colours, which are there", async () => {
  await using site = await openSite(settledDays(1));
  for (const path of ["/", "/sign-in", "/nowhere"]) {
    const headers = { accept: "text/html" };
    const html = await (await site.ask(path, { headers })).text();
    const links = [
      ...html.matchAll(
        /<link rel="(?:icon|apple-touch-icon|manifest)" href="([^"]+)"/g,
      ),
    ].map(([, href = ""]) => href);
    assertEquals(links.length, 4, path);
    assertEquals(html.match(/<meta name="theme-color"/g)?.length, 2, path);
    for (const href of links) {
      const answer = await site.ask(href);
      assertEquals(answer.status, 200, href);
      await answer.body?.cancel();
    }
  }
  const manifest = await (await site.ask("/manifest.webmanifest")).json();
  for (const { src } of manifest.icons) {
    const answer = await site.ask(src);
    assertEquals(answer.status, 200, src);
    await answer.body?.cancel();
  }
});

Deno.test("the icons that robots and phones guess are there, to be asked for again", async () => {
  await using site = await openSite();
  for (const path of ["/favicon.ico", "/apple-touch-icon.png"]) {
    const answer = await site.ask(path);
    assertEquals(answer.status, 200, path);
    assertEquals(answer.headers.get("cache-control"), "no-cache");
    await answer.body?.cancel();
  }
});

/** The colours of a PNG, whatever deflated them. */
function coloursOf(png: Uint8Array): Uint8Array {
  const at = new TextDecoder("latin1").decode(png).indexOf("IDAT");
  return new Uint8Array(inflateSync(png.subarray(at + 4)));
}

/** The sign over all of a square, as phones and taskbars cut it out. */
function iconSvg(size: number): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" ` +
    `height="${size}" viewBox="0 0 32 32">` +
    `<rect width="32" height="32" fill="#14110c"/>${LAMP}</svg>`;
}

Deno.test("the kept icons are what the sign looks like", async () => {
  for (const { bytes, size } of Object.values(ICONS)) {
    const drawn = await drawPng(iconSvg(size));
    assertEquals(coloursOf(bytes), coloursOf(drawn), `${size}`);
  }
});
