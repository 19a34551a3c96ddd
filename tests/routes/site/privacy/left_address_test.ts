/**
 * What is mailed to an address gives no right over the account once its owner
 * has left that address.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { signedInBrowser, TestBrowser } from "../../../support/browser.ts";
import { openSite } from "../../../support/site_app.ts";
import { ledTo } from "../../../support/led_to.ts";

const LEFT = "ada@example.com";
const NEW = "ada@lamps.example";

for (const act of ["confirm", "keep"] as const) {
  Deno.test(`a mailbox that the account has left can't ${act} an erasure`, async () => {
    await using site = await openSite();
    const { store } = site.test;
    const browser = await signedInBrowser(site);
    const mails = () => store.listMails({ limit: 100, reverse: true });
    const linkIn = async (kind: string) => {
      const found = (await mails()).find((mail) =>
        mail.kind === kind && mail.to === LEFT
      );
      return /\/erasure\/\S+/.exec(found?.text ?? "")?.[0] ?? "";
    };
    await browser.post("/settings/privacy/erasure", {});
    let link = await linkIn("erasure_asked");
    if (act === "keep") {
      assertEquals((await new TestBrowser(site).post(link, {})).status, 200);
      link = await linkIn("erasure_confirmed");
    }
    assert(link.startsWith("/erasure/"));
    await browser.post("/settings/email", { email: NEW });
    const codeTo = async (to: string) => {
      const mail = (await mails()).find((one) =>
        one.to === to && one.kind === "email_change"
      );
      const [, first, last] = /(\d{4}) (\d{4})/.exec(mail?.text ?? "") ?? [];
      return `${first}${last}`;
    };
    const done = await browser.post("/settings/email/confirm", {
      current_code: await codeTo(LEFT),
      new_code: await codeTo(NEW),
    });
    assertEquals(ledTo(done), "/settings?done=email");
    const id = (await store.accountEmails.find(NEW))?.accountId ?? "";
    const before = await store.dataRequests.find(id);
    assertEquals((await new TestBrowser(site).post(link, {})).status, 404);
    assertEquals(await store.dataRequests.find(id), before);
    // Whoever is signed in decides.
    const kept = await browser.post("/settings/privacy/erasure/keep", {});
    assertEquals(kept.status, 303);
    assertEquals((await store.dataRequests.find(id))?.erasure, undefined);
  });
}
