import { assert, assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import { FetchRefused } from "../../../domain/fetching/fetcher.ts";
import type { Resolver } from "../../../adapters/fetcher/lookups.ts";
import { systemConnector } from "../../../adapters/fetcher/exchange.ts";
import { fetchGate } from "../../../adapters/fetcher/fetch_caps.ts";
import {
  SPECIAL_IPV4,
  SPECIAL_IPV6,
} from "../../../adapters/fetcher/special_addresses.ts";
import {
  DOCUMENT_POLICY,
  fetcherOf,
  PUBLIC_ADDRESS,
  resolvesTo,
  serveHttp,
} from "./fetch_world.ts";

const URL_TEXT = "https://client.example/client.json";

/** A document that only says whose server it is. */
function serverOf(name: string, tls = true) {
  return serveHttp((_request, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(name));
  }, { tls });
}

for (const network of [...SPECIAL_IPV4, ...SPECIAL_IPV6]) {
  const [first = ""] = network.split("/");
  Deno.test(`D8: getJson() connects to nothing in ${network}`, async () => {
    const world = fetcherOf({}, { resolve: resolvesTo(first) });
    await assertRejects(
      () => world.fetcher.getJson(URL_TEXT, DOCUMENT_POLICY),
      FetchRefused,
    );
    assertEquals(world.asked, []);
    assert(world.log.lines[0]?.includes("special_address"));
  });
}

const MIXED = [
  [PUBLIC_ADDRESS, "127.0.0.1"],
  ["10.0.0.1", PUBLIC_ADDRESS],
  [PUBLIC_ADDRESS, "::1"],
  [PUBLIC_ADDRESS, "::ffff:127.0.0.1"],
  [PUBLIC_ADDRESS, "::ffff:7f00:1"],
  ["::ffff:93.184.216.34"],
  [PUBLIC_ADDRESS, ""],
];
for (const addresses of MIXED) {
  Deno.test(`D8: getJson() refuses a host at ${addresses.join(" and ")}`, async () => {
    await using server = await serverOf("public");
    const world = fetcherOf(
      { [PUBLIC_ADDRESS]: server },
      { resolve: resolvesTo(...addresses) },
    );
    await assertRejects(
      () => world.fetcher.getJson(URL_TEXT, DOCUMENT_POLICY),
      FetchRefused,
    );
    assertEquals(world.asked, []);
  });
}

Deno.test("D8: getJson() connects to what it checked though the name moves", async () => {
  await using outside = await serverOf("public");
  await using inside = await serverOf("private");
  let lookups = 0;
  const rebinding: Resolver = () => {
    lookups += 1;
    const address = lookups === 1 ? PUBLIC_ADDRESS : "127.0.0.1";
    return Promise.resolve([{ address, family: 4 }]);
  };
  const world = fetcherOf(
    { [PUBLIC_ADDRESS]: outside, "127.0.0.1": inside },
    { resolve: rebinding },
  );
  const first = await world.fetcher.getJson(URL_TEXT, DOCUMENT_POLICY);
  assertEquals(first.body, '"public"');
  assertEquals(lookups, 1);
  await assertRejects(
    () => world.fetcher.getJson(URL_TEXT, DOCUMENT_POLICY),
    FetchRefused,
  );
  assertEquals(world.asked, [PUBLIC_ADDRESS]);
  assertEquals(inside.connections, 0);
});

Deno.test("D8: a real socket goes to the pinned address and nowhere else", async () => {
  await using server = await serverOf("this machine", false);
  // To the resolver of the system this name is nothing.
  const world = fetcherOf({}, {
    allowLoopback: true,
    resolve: resolvesTo("127.0.0.1"),
    connect: (secure, options) =>
      systemConnector(secure, { ...options, host: "nowhere.invalid" }),
  });
  const url = `http://localhost:${server.port}/client.json`;
  const { body } = await world.fetcher.getJson(url, DOCUMENT_POLICY);
  assertEquals(body, '"this machine"');
});

Deno.test("D13: a key set on a special address is refused like any document", async () => {
  const special = fc.constantFrom("127.0.0.1", "169.254.169.254", "fd00::1");
  await fc.assert(fc.asyncProperty(special, async (address) => {
    const world = fetcherOf({}, { resolve: resolvesTo(address) });
    await assertRejects(
      () =>
        world.fetcher.getJson(
          "https://client.example/jwks.json",
          DOCUMENT_POLICY,
        ),
      FetchRefused,
    );
    assertEquals(world.asked, []);
  }));
});

const BAD_URLS = [
  "http://client.example/c",
  "https://127.0.0.1/c",
  "https://2130706433/c",
  "https://client.example/a/../c",
  "https://user@client.example/c",
  "https://localhost/c",
  "http://localhost/c",
  "client.example/c",
];
for (const url of BAD_URLS) {
  Deno.test(`D5: getJson() looks nothing up for ${url}`, async () => {
    let lookups = 0;
    const world = fetcherOf({}, {
      resolve: () => {
        lookups += 1;
        return Promise.resolve([]);
      },
    });
    await assertRejects(
      () => world.fetcher.getJson(url, DOCUMENT_POLICY),
      FetchRefused,
    );
    assertEquals([lookups, world.log.lines], [0, []]);
  });
}

Deno.test("getJson() reads a document on this machine in development", async () => {
  await using server = await serverOf("this machine", false);
  const world = fetcherOf({}, {
    allowLoopback: true,
    resolve: resolvesTo("127.0.0.1"),
    connect: systemConnector,
  });
  const url = `http://localhost:${server.port}/client.json`;
  const { body } = await world.fetcher.getJson(url, DOCUMENT_POLICY);
  assertEquals(body, '"this machine"');
});

Deno.test("getJson() refuses a localhost that is elsewhere", async () => {
  for (const address of ["10.0.0.1", PUBLIC_ADDRESS]) {
    const world = fetcherOf({}, {
      allowLoopback: true,
      resolve: resolvesTo("127.0.0.1", address),
    });
    await assertRejects(
      () => world.fetcher.getJson("http://localhost:1/c", DOCUMENT_POLICY),
      FetchRefused,
    );
    assertEquals(world.asked, []);
  }
});

Deno.test("getJson() gives up on a lookup that hangs", async () => {
  const world = fetcherOf({}, { resolve: () => new Promise(() => {}) });
  const policy = { ...DOCUMENT_POLICY, timeoutMs: 100 };
  await assertRejects(
    () => world.fetcher.getJson(URL_TEXT, policy),
    FetchRefused,
  );
  assert(world.log.lines[0]?.includes("timeout"));
});

Deno.test("the gate admits so many a second and so many at once", () => {
  let nowMs = 0;
  const gate = fetchGate({ concurrent: 2, perSecond: 3 }, () => nowMs);
  const first = gate.enter();
  assert(first !== null && gate.enter() !== null);
  assertEquals(gate.enter(), null, "two are under way");
  first();
  first();
  assert(gate.enter() !== null, "leaving twice frees one place");
  assertEquals(gate.enter(), null);
  nowMs = 999;
  assertEquals(gate.enter(), null, "three within the second");
  nowMs = 1_000;
  assertEquals(gate.enter(), null, "two are still under way");
});

Deno.test("the gate never admits more than its caps in any second", () => {
  fc.assert(fc.property(
    fc.array(fc.nat({ max: 400 }), { maxLength: 100 }),
    (steps) => {
      let nowMs = 0;
      const admitted: number[] = [];
      const gate = fetchGate({ concurrent: 99, perSecond: 10 }, () => nowMs);
      for (const step of steps) {
        nowMs += step;
        const leave = gate.enter();
        if (leave !== null) admitted.push(nowMs);
        leave?.();
      }
      for (const atMs of admitted) {
        const inSecond = admitted.filter((ms) =>
          ms >= atMs && ms < atMs + 1_000
        );
        assert(inSecond.length <= 10);
      }
    },
  ));
});

Deno.test("getJson() gives its place back after each outcome", async () => {
  await using server = await serverOf("public");
  const world = fetcherOf({ [PUBLIC_ADDRESS]: server }, {
    caps: { concurrent: 1, perSecond: 100 },
  });
  for (let count = 0; count < 3; count++) {
    await world.fetcher.getJson(URL_TEXT, DOCUMENT_POLICY);
    await assertRejects(() =>
      world.fetcher.getJson("https://other.example/c", DOCUMENT_POLICY)
    );
  }
  assertEquals(world.asked.length, 6);
});
