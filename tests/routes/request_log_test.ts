import { assertEquals } from "@std/assert";
import { keyedHash } from "../../adapters/crypto/keyed_hash.ts";
import { methodName, requestLog } from "../../routes/request_log.ts";
import { MemoryLines } from "../support/captured_logs.ts";

const LINE = {
  atMs: Date.parse("2026-11-20T12:00:00.123Z"),
  tookMs: 1.2345,
  host: "auth",
  method: "POST",
  status: 200,
  trace: {
    requestId: "req_ab_1",
    route: "/v1/agent/bids",
    grantId: "grt_0123456789",
  },
} as const;

Deno.test("requestLog() writes one JSON line a request", () => {
  const lines = new MemoryLines();
  requestLog(lines, () => "0011223344556677")(LINE);
  assertEquals(lines.lines.map((line) => JSON.parse(line)), [{
    ts: "2026-11-20T12:00:00.123Z",
    id: "req_ab_1",
    host: "auth",
    method: "POST",
    route: "/v1/agent/bids",
    status: 200,
    ms: 1.23,
    grant: "0011223344556677",
  }]);
});

Deno.test("requestLog() names a grant by the same hash, never by its id", () => {
  const lines = new MemoryLines();
  const log = requestLog(lines, keyedHash(new Uint8Array(32)));
  log(LINE);
  log(LINE);
  assertEquals(lines.text.includes("grt_"), false);
  const [first, second] = lines.lines.map((line) => JSON.parse(line).grant);
  assertEquals(first, second);
  assertEquals(/^[0-9a-f]{16}$/.test(first), true);
});

Deno.test("methodName() calls by one name whatever 3,000 made-up methods are called", () => {
  const made = Array.from({ length: 3_000 }, (_, n) => `M${n}`);
  const known = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
  const names = new Set([...known, ...made].map(methodName));
  assertEquals([...names], [...known, "OTHER"]);
});

Deno.test("requestLog() writes down no method it does not know", () => {
  const lines = new MemoryLines();
  const method = methodName("SECRET-TOKEN");
  const trace = { ...LINE.trace, grantId: null };
  requestLog(lines, () => "")({ ...LINE, host: null, method, trace });
  const line = JSON.parse(lines.text);
  assertEquals(line.method, "OTHER");
  assertEquals(line.host, "unknown");
  assertEquals("grant" in line, false);
});
