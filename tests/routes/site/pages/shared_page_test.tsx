import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { renderPublic } from "../../../../routes/errors/public_surface.ts";
import { eventLog } from "../../../../routes/event_log.ts";
import {
  SharedPage,
  sharedPageAnswer,
} from "../../../../routes/pages/page_answer.ts";
import { Layout } from "../../../../routes/pages/layout.tsx";
import type { Visitor } from "../../../../routes/pages/viewer.ts";
import { route, routeTable } from "../../../../routes/route_table.ts";
import { ask } from "../../../support/bindings.ts";
import { MemoryLines } from "../../../support/captured_logs.ts";
import { ManualClock } from "../../../support/clock.ts";
import { runService } from "../../../support/running_service.ts";

Deno.test("a page that never changes is written once, however often and by whatever method it is asked for", async () => {
  let written = 0;
  function Counted() {
    written++;
    return <p>{"x".repeat(40_000)}</p>;
  }
  const page = new SharedPage(<Counted />);
  const app = routeTable({
    settings: {
      baseUrl: "https://spotlight.example",
      authUrl: "https://auth.spotlight.example",
    },
    log: eventLog(new MemoryLines(), new ManualClock(0)),
  }, [{
    prefix: "",
    routes: [
      route("GET", "/page", (context) => sharedPageAnswer(context, page)),
    ],
    answers: { refused: renderPublic },
  }]);
  const lengths = new Set<string | null>();
  for (const method of ["GET", "HEAD", "GET", "HEAD"]) {
    const answer = await ask(app, "/page", { method });
    lengths.add(answer.headers.get("content-length"));
    await answer.body?.cancel();
  }
  assertEquals(written, 1);
  assertEquals(lengths.size, 1);
});

Deno.test("a page that never changes is another for each navigation above it", () => {
  const page = new SharedPage(<Layout title="x">x</Layout>);
  const textFor = (visitor: Visitor, path = "/terms") =>
    page.textFor({ visitor, path });
  assert(textFor("advertiser") === textFor("advertiser"));
  assert(textFor("advertiser") === textFor("advertiser", "/nowhere"));
  assertNotEquals(textFor("advertiser").text, textFor("signed_out").text);
  assertNotEquals(textFor("advertiser").text, textFor("operator").text);
  assertNotEquals(
    textFor("advertiser").text,
    textFor("advertiser", "/bids").text,
  );
});

Deno.test("HEAD of a document's page says what GET does", async () => {
  await using running = await runService();
  const address = `${running.config.settings.baseUrl}/developers`;
  const headers = { "accept-encoding": "identity" };
  const got = await fetch(address, { headers });
  const bytes = (await got.arrayBuffer()).byteLength;
  const asked = await fetch(address, { method: "HEAD", headers });
  assertEquals(asked.headers.get("content-length"), String(bytes));
  assertEquals(asked.headers.get("etag"), got.headers.get("etag"));
});
