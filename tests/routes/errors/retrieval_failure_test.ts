import { assertEquals } from "@std/assert";
import { retrievalFailure } from "../../../routes/errors/retrieval_failure.ts";
import { ANSWER_CONTEXT, partsOf } from "../../support/answers.ts";

Deno.test("retrievalFailure() writes the failure of the retrieval protocol", async () => {
  const answer = retrievalFailure({
    status: 413,
    message: "Cannot read the body: it must be at most 4096 bytes",
  }, ANSWER_CONTEXT);
  assertEquals(await partsOf(answer), {
    status: 413,
    headers: {
      "cache-control": "no-store",
      "content-type": "application/json",
      ratelimit: '"agent";r=7',
      "x-request-id": "req_1",
    },
    body: {
      _meta: { version: "0.55", response_type: "failure" },
      error: {
        code: 413,
        message: "Cannot read the body: it must be at most 4096 bytes",
      },
    },
  });
});
