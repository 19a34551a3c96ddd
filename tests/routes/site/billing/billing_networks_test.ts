import { assertEquals, assertStringIncludes } from "@std/assert";
import { openBillingSite } from "../../../support/billing_site.ts";

Deno.test("accounts of one network open twenty of the processor's pages for cards an hour together", async () => {
  await using site = await openBillingSite();
  const statuses: number[] = [];
  for (const name of ["ada", "eve", "mia"]) {
    const browser = await site.onboarded(name);
    for (let nth = 0; nth < 8; nth++) {
      const answer = await browser.post(
        `/billing/${nth % 2 === 0 ? "set-up" : "portal"}`,
        "",
      );
      statuses.push(answer.status);
      if (answer.status !== 429) continue;
      assertStringIncludes(await answer.text(), "Please try again later");
    }
  }
  assertEquals(statuses, [...Array(20).fill(303), ...Array(4).fill(429)]);
});
