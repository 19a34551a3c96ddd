import { assertEquals, assertThrows } from "@std/assert";
import {
  LARGE_FROM,
  LargeAnswer,
  respond,
  respondEmpty,
  respondJson,
  respondPieces,
  respondShared,
  respondStream,
  SharedFile,
  SharedText,
  withCookies,
  withHeaders,
} from "../../../routes/http/respond.ts";

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

Deno.test("no answer is made with a header that can't be sent, by whichever way", () => {
  const stream = () => new ReadableStream<Uint8Array<ArrayBuffer>>();
  const large = { length: 0, ownBytes: 0 };
  const shared = new SharedText("text");
  for (const value of ["a\u0001b", "a\nb", "a\u007fb", "Łódź"]) {
    const headers = { "x-told": value };
    const ways = [
      () => respond("text", { headers }),
      () => respond(shared, { headers }),
      () => respond(new SharedFile(new Uint8Array(1)), { headers }),
      () => respond("a".repeat(LARGE_FROM), { headers }),
      () => respondJson({}, { status: 400, headers }),
      () => respondShared(shared, "", { headers }),
      () => respondPieces(shared.pieces, { headers }),
      () => respondEmpty(204, headers),
      () => respondStream(stream(), headers),
      () => new LargeAnswer(stream(), large, { headers }),
      () => withHeaders(respond("text"), headers),
      () => withCookies(respond("text"), [`a=b`, `x-told=${value}`]),
    ];
    for (const way of ways) assertThrows(way, Error, "Cannot send");
  }
});

Deno.test("cookies are added to those that an answer sets already", () => {
  const answer = withCookies(withCookies(respond("text"), ["a=1"]), ["b=2"]);
  assertEquals(answer.headers.getSetCookie(), ["a=1", "b=2"]);
});
