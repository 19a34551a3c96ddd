import { assertEquals, assertRejects } from "@std/assert";
import {
  FetchBusy,
  FetchRefused,
} from "../../../../domain/fetching/fetcher.ts";
import {
  type Asker,
  DocumentReader,
} from "../../../../domain/oauth/clients/fetch_documents.ts";
import { Refused } from "../../../../domain/refusal.ts";
import { until } from "../../../support/until.ts";
import {
  asker,
  fetched,
  holdAnswers,
  openDocumentBench,
} from "./document_bench.ts";

const URL_OF_IT = "https://agent.example/client.json";
const MINUTE_MS = 60_000;

/** Reads as a client that takes any document but `bad`. */
function read(
  reader: DocumentReader,
  { url = URL_OF_IT, by = asker("n1"), isApproved = false }: {
    url?: string;
    by?: Asker;
    isApproved?: boolean;
  } = {},
): Promise<string | null> {
  const isGood = (text: string) => text !== "bad";
  const what = "client";
  return reader.read({ url, what, isGood, asker: by, isApproved });
}

Deno.test("DocumentReader asks for 5 KiB of JSON within 5 seconds, at its asker's wish", async () => {
  await using bench = await openDocumentBench();
  assertEquals(await read(new DocumentReader(bench, bench.queue())), "{}");
  assertEquals(bench.asked, [{
    url: URL_OF_IT,
    policy: {
      maxBytes: 5_120,
      timeoutMs: 5_000,
      accept: "application/json",
      asker: "n1",
    },
  }]);
});

for (
  const [maxAgeS, minutes] of [
    [null, 5],
    [0, 5],
    [300, 5],
    [301, 301 / 60],
    [86_399, 86_399 / 60],
    [86_401, 24 * 60],
  ] as const
) {
  Deno.test(`DocumentReader keeps a good document with max-age ${maxAgeS} for ${minutes} minutes`, async () => {
    await using bench = await openDocumentBench();
    bench.answer = () => Promise.resolve(fetched("{}", maxAgeS));
    const reader = new DocumentReader(bench, bench.queue());
    await read(reader);
    bench.clock.advance(minutes * MINUTE_MS - 1);
    await read(reader);
    assertEquals(bench.asked.length, 1);
    bench.clock.advance(1);
    await read(reader);
    assertEquals(bench.asked.length, 2);
  });
}

Deno.test("DocumentReader reads what is kept without a turn, and refuses who gets none", async () => {
  await using bench = await openDocumentBench();
  await read(new DocumentReader(bench, bench.queue()));
  const busy = new DocumentReader(bench, bench.queue({ waiting: 0 }));
  assertEquals(await read(busy), "{}");
  const url = "https://agent.example/other.json";
  await assertRejects(() => read(busy, { url }), FetchBusy);
});

Deno.test("DocumentReader keeps nothing that is faulty or does not come, and asks again", async () => {
  await using bench = await openDocumentBench();
  const reader = new DocumentReader(bench, bench.queue());
  bench.answer = () => Promise.resolve(fetched("bad"));
  assertEquals(await read(reader), null);
  bench.answer = () => Promise.reject(new FetchRefused());
  assertEquals(await read(reader), null);
  bench.answer = () => Promise.reject(new FetchBusy(1));
  await assertRejects(() => read(reader), FetchBusy);
  bench.answer = () => Promise.resolve(fetched("good"));
  assertEquals(await read(reader), "good");
  assertEquals(bench.asked.length, 4);
});

Deno.test("DocumentReader judges what somebody else looks for at the same address by itself", async () => {
  for (
    const [stranger, own] of [["client", "keys"], ["keys", "client"]] as const
  ) {
    await using bench = await openDocumentBench();
    const reader = new DocumentReader(bench, bench.queue());
    const held = holdAnswers(bench);
    const wanted = { url: URL_OF_IT, asker: asker("n1"), isApproved: true };
    const isGood = () => false;
    const judged = reader.read({ ...wanted, what: stranger, isGood });
    await held(URL_OF_IT).begun.promise;
    const read = reader.read({ ...wanted, what: own, isGood: () => true });
    await until(() => bench.lookedUp === 3);
    held(URL_OF_IT).body.resolve("good");
    assertEquals([await judged, await read], [null, "good"]);
  }
});

Deno.test("DocumentReader fetches once for all who ask meanwhile, also what is faulty", async () => {
  await using bench = await openDocumentBench();
  const reader = new DocumentReader(bench, bench.queue());
  const held = holdAnswers(bench);
  for (const body of ["good", "bad"]) {
    const url = `https://agent.example/${body}.json`;
    bench.asked.length = bench.lookedUp = 0;
    const all = ["n1", "n2", "n3"].map((network) =>
      read(reader, { url, by: asker(network) })
    );
    await held(url).begun.promise;
    // The first looks again when it is its turn.
    await until(() => bench.lookedUp === 4);
    held(url).body.resolve(body);
    const expected = body === "bad" ? null : body;
    assertEquals(await Promise.all(all), [expected, expected, expected]);
    assertEquals(bench.asked.length, 1);
  }
});

for (
  const refused of [
    new Refused({ code: "not_found", message: "Not for you" }),
    new FetchBusy(1),
  ]
) {
  Deno.test(`DocumentReader lets who shares a fetch ask by itself when the first gets ${refused.constructor.name}`, async () => {
    await using bench = await openDocumentBench();
    const reader = new DocumentReader(bench, bench.queue());
    const begun = Promise.withResolvers<void>();
    const admitted = Promise.withResolvers<void>();
    const by = asker("n1", () => {
      begun.resolve();
      return admitted.promise;
    });
    const first = read(reader, { by }).catch((thrown) => thrown);
    await begun.promise;
    const second = read(reader, { by: asker("n2") });
    await until(() => bench.lookedUp === 3);
    admitted.reject(refused);
    assertEquals(await first, refused);
    assertEquals(await second, "{}");
    assertEquals(bench.asked.length, 1);
  });
}

Deno.test("DocumentReader fails for all who share a fetch that fails otherwise", async () => {
  await using bench = await openDocumentBench();
  const reader = new DocumentReader(bench, bench.queue());
  const held = holdAnswers(bench);
  const all = ["n1", "n2"].map((network) =>
    assertRejects(() => read(reader, { by: asker(network) }), TypeError)
  );
  await held(URL_OF_IT).begun.promise;
  await until(() => bench.lookedUp === 3);
  held(URL_OF_IT).body.reject(new TypeError("A bug"));
  await Promise.all(all);
  assertEquals(bench.asked.length, 1);
});

Deno.test("DocumentReader admits and fetches nothing that another brought while one waited for its turn", async () => {
  await using bench = await openDocumentBench();
  const reader = new DocumentReader(bench, bench.queue());
  const held = holdAnswers(bench);
  const slow = "https://agent.example/slow.json";
  const first = read(reader, { url: slow });
  await held(slow).begun.promise;
  // One network asks a host for one document at a time.
  const by = asker("n1", () => Promise.reject(new FetchBusy(1)));
  const waiting = read(reader, { by });
  await until(() => bench.lookedUp === 3);
  const other = read(reader, { by: asker("n2") });
  await held(URL_OF_IT).begun.promise;
  held(URL_OF_IT).body.resolve("wanted");
  assertEquals(await other, "wanted");
  held(slow).body.resolve("slow");
  assertEquals(await first, "slow");
  assertEquals(await waiting, "wanted");
  assertEquals(bench.asked.map(({ url }) => url), [slow, URL_OF_IT]);
});

Deno.test("DocumentReader waits for no slow address of the host where the document was good before, or its client is approved", async () => {
  await using bench = await openDocumentBench();
  const reader = new DocumentReader(bench, bench.queue());
  await read(reader);
  bench.clock.advance(5 * MINUTE_MS);
  const held = holdAnswers(bench);
  const slow = ["a", "b"].map((path) => `https://agent.example/${path}`);
  const stalled = slow.map((url, at) =>
    read(reader, { url, by: asker(`stranger ${at}`) })
  );
  for (const url of slow) await held(url).begun.promise;
  const keys = "https://agent.example/keys.json";
  const fresh = "https://agent.example/new.json";
  const asked: { url: string; isApproved?: boolean }[] = [
    { url: fresh },
    { url: URL_OF_IT },
    { url: keys, isApproved: true },
  ];
  const [waiting, again, approved] = asked.map((one, at) =>
    read(reader, { ...one, by: asker(`n${at}`) })
  );
  for (const url of [URL_OF_IT, keys]) held(url).body.resolve(url);
  assertEquals([await again, await approved], [URL_OF_IT, keys]);
  assertEquals(bench.asked.some(({ url }) => url === fresh), false);
  for (const url of [...slow, fresh]) held(url).body.resolve("bad");
  assertEquals(await Promise.all([waiting, ...stalled]), [null, null, null]);
});
