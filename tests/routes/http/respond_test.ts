import { assertEquals } from "@std/assert";
import { respond, respondJson } from "../../../routes/http/respond.ts";

const HEADERS = { "content-type": "text/csv", etag: '"a"', vary: "Accept" };

Deno.test("an answer has its status, its headers once each, and its body, as text and as bytes", async () => {
  for (const status of [200, 404]) {
    for (const body of ["a;b\n", new TextEncoder().encode("a;b\n")]) {
      const answered = respond(body, { status, headers: HEADERS });
      assertEquals(answered.status, status);
      assertEquals(Object.fromEntries(answered.headers), HEADERS);
      assertEquals(await answered.text(), "a;b\n");
    }
  }
});

Deno.test("respondJson() says that it is JSON, unless another type is named", async () => {
  const json = respondJson({ a: 1 }, { headers: { etag: '"a"' } });
  assertEquals(Object.fromEntries(json.headers), {
    "content-type": "application/json",
    etag: '"a"',
  });
  assertEquals(await json.json(), { a: 1 });
  const type = "application/problem+json";
  const problem = respondJson({}, { headers: { "content-type": type } });
  assertEquals(problem.headers.get("content-type"), type);
});
