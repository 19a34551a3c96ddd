import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { MAILS } from "../../../domain/mail/mail_kinds.ts";
import { renderMail } from "../../../domain/mail/render_mail.ts";
import type { Settings } from "../../../domain/ports.ts";
import { renderPublic } from "../../../routes/errors/public_surface.ts";
import { routeTable } from "../../../routes/route_table.ts";
import { mailSamples } from "../../../routes/site/dev_mail_samples.ts";
import { devMails } from "../../../routes/site/dev_mails.tsx";
import { TEST_SETTINGS } from "../../support/auction_world.ts";
import { ask, bindings } from "../../support/bindings.ts";
import { MemoryLog } from "../../support/captured_logs.ts";

function read(
  environment: Settings["environment"],
  from = "127.0.0.1",
): Promise<Response> {
  const settings = { ...TEST_SETTINGS, environment };
  const app = routeTable({ settings, log: new MemoryLog() }, [{
    prefix: "",
    free: true,
    routes: [devMails({ settings })],
    answers: { refused: renderPublic },
  }]);
  const headers = { host: "localhost:8000" };
  return ask(app, "/dev/mails", { headers }, bindings(from));
}

Deno.test("GET /dev/mails shows every kind of mail in both forms, and runs nothing", async () => {
  const response = await read("development");
  assertEquals(response.status, 200);
  const policy = response.headers.get("content-security-policy") ?? "";
  assert(policy.startsWith("default-src 'none'"));
  const html = await response.text();
  assert(!html.includes("<script"));
  for (const [kind, { when }] of Object.entries(MAILS)) {
    assertStringIncludes(html, `<article id="${kind}">`);
    assertStringIncludes(html, `</a>: when ${when.replaceAll("'", "&#39;")}`);
  }
  assertEquals(
    html.match(/<iframe sandbox="" srcdoc=/g)?.length,
    Object.keys(MAILS).length,
  );
});

Deno.test("GET /dev/mails is found in development and on this machine alone", async () => {
  assertEquals((await read("preview")).status, 404);
  assertEquals((await read("production")).status, 404);
  assertEquals((await read("development", "192.0.2.1")).status, 404);
});

for (const [kind, sample] of Object.entries(mailSamples(TEST_SETTINGS))) {
  Deno.test(`the mail ${kind} has one subject line, one button at most and no address but ours`, () => {
    assertEquals(sample.kind, kind);
    const { baseUrl, seller } = TEST_SETTINGS;
    assert(!/\p{Cc}/u.test(sample.subject));
    assert(sample.subject.length <= 78, "what mailboxes show");
    const ways = sample.parts.flatMap((part) =>
      typeof part !== "string" && "url" in part ? [part] : []
    );
    assert(ways.filter((part) => "button" in part).length <= 1);
    for (const { url } of ways) assert(url.startsWith(`${baseUrl}/`), url);
    const { text, html = "" } = renderMail(sample);
    for (const form of [text, html]) {
      for (const [named = ""] of form.matchAll(/https?:\/\/[^\s"'<]+/g)) {
        assert(named.startsWith(`${baseUrl}/`), named);
      }
      for (const [address = ""] of form.matchAll(/[\w.]+@[\w.]+\w/g)) {
        assertEquals(address, seller.email);
      }
    }
  });
}
