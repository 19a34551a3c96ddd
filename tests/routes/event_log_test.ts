import { assertEquals } from "@std/assert";
import { eventLog } from "../../routes/event_log.ts";
import { ManualClock } from "../support/clock.ts";
import { MemoryLines } from "../support/captured_logs.ts";

Deno.test("eventLog() writes one JSON line an event", () => {
  const lines = new MemoryLines();
  const log = eventLog(lines, new ManualClock("2026-11-20T12:00:00.000Z"));
  log.info("auction_opened", { day: "2026-11-20" });
  log.error("job_failed");
  assertEquals(lines.lines.map((line) => JSON.parse(line)), [
    {
      ts: "2026-11-20T12:00:00.000Z",
      level: "info",
      event: "auction_opened",
      day: "2026-11-20",
    },
    { ts: "2026-11-20T12:00:00.000Z", level: "error", event: "job_failed" },
  ]);
});

Deno.test("eventLog() writes an event whose fields can't be written", () => {
  const lines = new MemoryLines();
  const log = eventLog(lines, new ManualClock());
  const circle: Record<string, unknown> = { count: 1n };
  log.info("counted", circle);
  circle.self = circle;
  log.info("circular", circle);
  const [counted, circular] = lines.lines.map((line) => JSON.parse(line));
  assertEquals(counted.count, "1");
  assertEquals(circular.event, "circular");
});

Deno.test("eventLog() takes what looks private out of every field, however deep", () => {
  const lines = new MemoryLines();
  const log = eventLog(lines, new ManualClock());
  const error = "Error: No such customer: ada@example.com, Bearer abc.def.ghi";
  log.error("job.failed", { job: "mails", error, inner: [{ error }] });
  const { job, inner, ...line } = JSON.parse(lines.text);
  const clean = "Error: No such customer: [e-mail] Bearer [token]";
  assertEquals([job, line.error, inner], ["mails", clean, [{ error: clean }]]);
});

Deno.test("eventLog() tells the long id of a mail from a token", () => {
  const lines = new MemoryLines();
  const log = eventLog(lines, new ManualClock());
  const mails = [
    "mail_refund_in_1QabcdefABCDEF0123456789_0",
    "mail_off_grant_gqdk9cyr3nwk7aj7dmtg_1763596800000",
  ];
  const tokens = [`mail_${"a".repeat(40)}`, `x-mail_off_${"a".repeat(40)}`];
  for (const mail of [...mails, ...tokens]) log.info("mail.sent", { mail });
  const written = lines.lines.map((line) => JSON.parse(line).mail);
  assertEquals(written, [...mails, "[token]", "[token]"]);
});

Deno.test("eventLog() writes one failure of a second with its stack, and counts the others of its name", () => {
  const lines = new MemoryLines();
  const clock = new ManualClock();
  const log = eventLog(lines, clock);
  const fail = (error: string, times: number) => {
    for (let nth = 0; nth < times; nth++) {
      log.error("temporary_failure", { error, stack: "at" });
    }
  };
  fail("StoreUnavailable", 10_000);
  fail("Contention", 1);
  clock.advance(1_000);
  fail("StoreUnavailable", 1);
  log.error("fault", { error: "StoreUnavailable" });
  log.error("fault", { error: "StoreUnavailable" });
  clock.advance(-5_000);
  fail("StoreUnavailable", 1);
  const written = lines.lines.map((line) => JSON.parse(line))
    .map(({ event, error, left_out }) => [event, error, left_out]);
  assertEquals(written, [
    ["temporary_failure", "StoreUnavailable", undefined],
    ["temporary_failure", "Contention", undefined],
    ["temporary_failure", "StoreUnavailable", 9_999],
    ["fault", "StoreUnavailable", undefined],
    ["fault", "StoreUnavailable", undefined],
    ["temporary_failure", "StoreUnavailable", undefined],
  ]);
});
