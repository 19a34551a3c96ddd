import { assertEquals } from "@std/assert";
import {
  renderRetrieval,
  retrievalFault,
  retrievalTooLong,
  retrievalUnavailable,
} from "../../../routes/errors/retrieval_surface.ts";
import {
  ANSWER_CONTEXT,
  EVERY_REFUSAL,
  partsOf,
  statusesOf,
} from "../../support/answers.ts";

const HEADERS = {
  "cache-control": "no-store",
  "content-type": "application/json",
  ratelimit: '"agent";r=7',
  "x-request-id": "req_1",
};

function failure(code: number, message: string): unknown {
  return {
    _meta: { version: "0.55", response_type: "failure" },
    error: { code, message },
  };
}

Deno.test("renderRetrieval() answers the refusals of /ask and no other", () => {
  const possible = Object.entries(statusesOf(renderRetrieval))
    .filter(([, status]) => status !== "impossible");
  assertEquals(Object.fromEntries(possible), {
    invalid_input: 400,
    bad_request: 400,
    not_found: 404,
    method_not_allowed: 405,
  });
});

Deno.test("renderRetrieval() answers 405 with Allow", async () => {
  const answer = renderRetrieval(
    EVERY_REFUSAL.method_not_allowed,
    ANSWER_CONTEXT,
  );
  assertEquals(await partsOf(answer), {
    status: 405,
    headers: { ...HEADERS, allow: "GET, HEAD" },
    body: failure(
      405,
      "Cannot use this method here: the address takes GET, HEAD",
    ),
  });
});

Deno.test("failures of /ask say their status, 503 when to come back", async () => {
  assertEquals(await partsOf(retrievalTooLong(4_096, ANSWER_CONTEXT)), {
    status: 413,
    headers: HEADERS,
    body: failure(413, "Cannot search: the body must be at most 4096 bytes"),
  });
  assertEquals(await partsOf(retrievalUnavailable(2, ANSWER_CONTEXT)), {
    status: 503,
    headers: { ...HEADERS, "retry-after": "2" },
    body: failure(503, "Cannot search now: retry in 2 seconds"),
  });
  assertEquals(await partsOf(retrievalFault(ANSWER_CONTEXT)), {
    status: 500,
    headers: HEADERS,
    body: failure(
      500,
      'Cannot search: the fault is recorded as "req_1"',
    ),
  });
});
