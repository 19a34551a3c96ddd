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

Deno.test("accounts of one IPv6 site whose identity was not checked ask the processor 240 times at once together, checked ones as before", async () => {
  await using site = await openBillingSite();
  const cameBack = async (name: string, nth: number, account = {}) => {
    const browser = await site.browser(name, account);
    const from = `2001:db8:bad:${nth.toString(16)}00::1`;
    const statuses: number[] = [];
    for (let time = 0; time < 50; time++) {
      const answer = await browser.get("/billing/return", { from });
      await answer.body?.cancel();
      statuses.push(answer.status);
    }
    return statuses.filter((status) => status === 303).length;
  };
  const counts: number[] = [];
  for (let nth = 0; nth < 6; nth++) {
    counts.push(await cameBack(`free${nth}`, nth));
  }
  assertEquals(counts, [50, 50, 50, 50, 40, 0]);
  const checked = { identityStatus: "verified" } as const;
  assertEquals(await cameBack("ada", 6, checked), 50);
});
