import { assert, assertEquals, assertRejects } from "@std/assert";
import { ProtocolError } from "@modelcontextprotocol/server";
import { Contention } from "../../../domain/failure.ts";
import { refuse } from "../../../domain/refusal.ts";
import { guardedRead } from "../../../routes/mcp/guarded_read.ts";
import { PUBLIC_ANSWERS } from "../../../routes/errors/public_answers.ts";
import { MemoryLog } from "../../support/captured_logs.ts";
import { TEST_SETTINGS } from "../../support/site_app.ts";

/** Reads something that throws, and answers what came of it. */
async function refusedBy(read: () => never) {
  const log = new MemoryLog();
  const services = { settings: TEST_SETTINGS, log, answers: PUBLIC_ANSWERS };
  const { signal } = new AbortController();
  const what = { uri: "test://one", requestId: "req_1", signal };
  const error = await assertRejects(() => guardedRead(services, what, read));
  assert(error instanceof ProtocolError);
  return { error, log };
}

Deno.test("what is not found is told as the protocol does", async () => {
  const { error, log } = await refusedBy(() =>
    refuse({ code: "spotlight_not_found", day: null })
  );
  assertEquals([error.code, error.data], [-32602, { uri: "test://one" }]);
  assertEquals(log.events, []);
});

Deno.test("another refusal is told with the surface's problem", async () => {
  const { error } = await refusedBy(() =>
    refuse({ code: "bad_request", message: "Cannot read it" })
  );
  const { status } = error.data as { status: number };
  assertEquals([error.code, error.message, status], [
    -32602,
    "Cannot read it",
    400,
  ]);
});

Deno.test("a temporary failure says when to retry, and nothing of itself", async () => {
  const { error, log } = await refusedBy(() => {
    throw new Contention("secret detail");
  });
  const { status } = error.data as { status: number };
  assertEquals([error.code, status], [-32603, 503]);
  assertEquals(JSON.stringify(error.data).includes("secret"), false);
  assertEquals(log.events, ["temporary_failure"]);
});

Deno.test("a fault in a resource says Internal error. and logs one line", async () => {
  const { error, log } = await refusedBy(() => {
    throw new Error("secret detail");
  });
  assertEquals([error.code, error.message, error.data], [
    -32603,
    "Internal error.",
    undefined,
  ]);
  assertEquals(log.events, ["read_failed"]);
});
