import { assert, assertEquals } from "@std/assert";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import {
  compress,
  type Encoding,
  gzipped,
  preferredEncoding,
} from "../../../routes/http/content_encoding.ts";
import {
  LargeAnswer,
  respondPieces,
  SharedText,
} from "../../../routes/http/respond.ts";

const BROWSER = "gzip, deflate, br, zstd";

/** Accept-Encoding, and what is taken of both and of gzip alone. */
const CASES: readonly [string | null, Encoding | null, Encoding | null][] = [
  [null, null, null],
  ["", null, null],
  ["identity", null, null],
  ["deflate, zstd", null, null],
  [BROWSER, "br", "gzip"],
  ["gzip", "gzip", "gzip"],
  ["GZIP;q=0.5", "gzip", "gzip"],
  ["br", "br", null],
  ["*", "br", "gzip"],
  ["br;q=0, *", "gzip", "gzip"],
  ["*;q=0", null, null],
  ["gzip;q=1, br;q=0.5", "gzip", "gzip"],
  ["gzip;q=nonsense, br;q=0.1", "br", null],
  [`${"x,".repeat(1_000)}gzip`, null, null],
];

Deno.test("preferredEncoding() takes what Accept-Encoding likes best of what is offered", () => {
  for (const [accept, ofBoth, ofGzip] of CASES) {
    assertEquals(
      preferredEncoding(accept, ["br", "gzip"]),
      ofBoth,
      `${accept}`,
    );
    assertEquals(preferredEncoding(accept, ["gzip"]), ofGzip, `${accept}`);
  }
});

const TEXT = "One advertisement a day – ‘é’. ".repeat(2_000);

Deno.test("compress() and gzipped() make what decoders read back", async () => {
  const bytes = new TextEncoder().encode(TEXT);
  const brotli = await compress(bytes, "br");
  assertEquals(new Uint8Array(brotliDecompressSync(brotli)), bytes);
  for (const made of [await compress(bytes, "gzip"), gzipped(TEXT)]) {
    assertEquals(new Uint8Array(gunzipSync(made)), bytes);
    assert(made.length < bytes.length / 20);
  }
});

Deno.test("a shared text is compressed once, and what is large of it goes in pieces", async () => {
  const text = new SharedText(TEXT);
  assert(text.encoded("br") === text.encoded("br"));
  const noise = crypto.getRandomValues(new Uint8Array(40_000)).toBase64();
  const small = respondPieces(await text.encoded("gzip"));
  const large = respondPieces(await new SharedText(noise).encoded("gzip"));
  assert(!(small instanceof LargeAnswer));
  assert(large instanceof LargeAnswer);
  assertEquals(large.ownBytes, 0);
  assertEquals(gunzipSync(await small.bytes()).toString(), TEXT);
  assertEquals(gunzipSync(await large.bytes()).toString(), noise);
});
