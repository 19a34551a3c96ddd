import { assert, assertEquals } from "@std/assert";
import { openBrowserWorld } from "../support/chromium.ts";
import { pictureOf } from "../support/looks/capture.ts";
import { differenceOf } from "../support/looks/compare.ts";

/** What a stylesheet or a page could lose without any other test noticing. */
const FAULTS: Readonly<Record<string, string>> = {
  "a stretched tick box":
    "document.querySelector('[type=checkbox]').style.width = '100%'",
  "a missing button":
    "document.querySelector('button.plain').style.visibility = 'hidden'",
  "a main button like any other":
    "document.querySelector('button.main').className = 'plain'",
  "a label beside another field":
    "document.querySelector('.field label').style.marginLeft = '3rem'",
  "a note without its mark":
    "document.querySelector('.note.error').style.borderLeft = 'none'",
  "a gap that is gone":
    "document.querySelector('form.stacked:has(.field)').style.gap = '0'",
};

/** What another build of the browser may do, and nobody sees. */
const NO_FAULTS: Readonly<Record<string, string>> = {
  "nothing at all": "null",
  "letters a quarter of a pixel lower":
    "document.querySelector('main').style.transform = 'translateY(.25px)'",
};

for (const width of [320, 1_280]) {
  Deno.test(`what is no longer as it was kept is noticed, ${width} pixels wide`, async () => {
    await using world = await openBrowserWorld();
    const { page, context } = await world.open({
      viewport: { width, height: 800 },
    });
    const session = await context.newCDPSession(page);
    const differenceBy = async (change: string) => {
      await page.goto("/dev/components");
      await page.evaluate("document.fonts.ready.then(() => null)");
      const before = await pictureOf(session);
      await page.evaluate(`{ ${change}; }`);
      return differenceOf(before, await pictureOf(session));
    };
    for (const [name, change] of Object.entries(FAULTS)) {
      assert(await differenceBy(change) !== null, name);
    }
    for (const [name, change] of Object.entries(NO_FAULTS)) {
      assertEquals(await differenceBy(change), null, name);
    }
  });
}
