import { assert, assertEquals } from "@std/assert";
import { ROOT } from "../../../../tools/own_modules.ts";
import { TestBrowser } from "../../../support/browser.ts";
import { openSite } from "../../../support/site_app.ts";

const PACKAGE = new URL(
  "../",
  import.meta.resolve("@simplewebauthn/browser"),
);
const VENDOR = `${ROOT}routes/site/scripts/vendor/`;

for (
  const [copy, original] of [
    ["simplewebauthn_browser.js", "dist/bundle/index.umd.min.js"],
    ["simplewebauthn_license.md", "LICENSE.md"],
  ] as const
) {
  Deno.test(`${copy} is the one of the pinned package`, async () => {
    const ours = await Deno.readTextFile(VENDOR + copy);
    assertEquals(ours, await Deno.readTextFile(new URL(original, PACKAGE)));
  });
}

Deno.test("pages load scripts of our own only, by versioned addresses", async () => {
  await using site = await openSite();
  const page = await (await new TestBrowser(site).get("/sign-in")).text();
  const paths = [...page.matchAll(/<script src="([^"]*)" defer/g)]
    .map(([, path = ""]) => path);
  assertEquals(paths.length, 1);
  assert(!/<script(?! src)/.test(page));
  for (const path of paths) {
    assert(/^\/scripts\/\w+\.js\?v=[\w-]{10}$/.test(path), path);
    const { status, headers } = await site.ask(path);
    assertEquals(status, 200);
    assertEquals(headers.get("content-type"), "text/javascript; charset=utf-8");
    assertEquals(
      headers.get("cache-control"),
      "public, max-age=31536000, immutable",
    );
    assertEquals(headers.get("x-content-type-options"), "nosniff");
  }
});

Deno.test("the served library names its author and licence", async () => {
  await using site = await openSite();
  const text = await (await site.ask("/scripts/passkeys.js")).text();
  assert(
    text.startsWith("/*\nMIT License\n\nCopyright (c) 2020 Matthew Miller"),
  );
  assert(text.includes("SimpleWebAuthnBrowser"));
});

Deno.test("no two scripts of ours declare the same name: those of a page share them", async () => {
  const folder = `${ROOT}routes/site/scripts/`;
  const declaredBy = new Map<string, string>();
  for await (const { name } of Deno.readDir(folder)) {
    if (!name.endsWith(".js")) continue;
    const script = await Deno.readTextFile(folder + name);
    for (
      const [, declared = ""] of script.matchAll(
        /^(?:const|let|function) (\w+)/gm,
      )
    ) {
      assertEquals(declaredBy.get(declared), undefined, declared);
      declaredBy.set(declared, name);
    }
  }
});
