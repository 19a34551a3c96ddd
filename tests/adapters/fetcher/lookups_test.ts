/** Name servers that let us wait, and whom they keep out. */
import { assertEquals, assertRejects } from "@std/assert";
import { FetchBusy, FetchRefused } from "../../../domain/fetching/fetcher.ts";
import {
  DOCUMENT_POLICY,
  fetcherOf,
  PUBLIC_ADDRESS,
  serveHttp,
} from "./fetch_world.ts";

/** A fetcher to which the names below `slow.example` are never found. */
function slowWorld(network: Parameters<typeof fetcherOf>[0] = {}) {
  const slow: PromiseWithResolvers<[]>[] = [];
  const { fetcher } = fetcherOf(network, {
    caps: { concurrent: 500, perSecond: 500 },
    resolve: (host) => {
      if (!host.endsWith(".slow.example")) {
        return Promise.resolve([{ address: PUBLIC_ADDRESS, family: 4 }]);
      }
      const lookup = Promise.withResolvers<[]>();
      slow.push(lookup);
      return lookup.promise;
    },
  });
  let count = 0;
  /** Its time is over before its look-up ends. */
  const askSlowly = (asker: string) =>
    fetcher.getJson(`https://h${count++}.slow.example/c`, {
      ...DOCUMENT_POLICY,
      timeoutMs: 100,
      asker,
    });
  /** How an application fares whose name is found at once. */
  const askFor = (asker: string) =>
    fetcher.getJson("https://client.example/c", { ...DOCUMENT_POLICY, asker });
  return { fetcher, slow, askSlowly, askFor };
}

/** All that a network may ask for at once, and what is told of it. */
async function flood(world: ReturnType<typeof slowWorld>, asker: string) {
  const asked = Array.from({ length: 10 }, () => world.askSlowly(asker));
  await Promise.allSettled(asked);
}

function goodServer() {
  return serveHttp((_request, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end("{}");
  });
}

Deno.test("look-ups that nobody waits for any more are counted until they end, so that no thread is taken beyond eight", async () => {
  const world = slowWorld();
  for (let nth = 0; nth < 8; nth++) {
    await assertRejects(() => world.askSlowly(`network ${nth}`), FetchRefused);
  }
  for (let nth = 8; nth < 13; nth++) {
    await assertRejects(() => world.askSlowly(`network ${nth}`), FetchBusy);
  }
  assertEquals(world.slow.length, 8);
  // Messages have look-ups of their own.
  const message = { body: "{}", headers: {}, timeoutMs: 100 };
  const url = "https://hooks.slow.example/h";
  await assertRejects(() => world.fetcher.notify(url, message), FetchRefused);
  assertEquals(world.slow.length, 9);
  world.slow.forEach(({ resolve }) => resolve([]));
  await Promise.all(world.slow.map(({ promise }) => promise));
  await assertRejects(() => world.askSlowly("network 13"), FetchRefused);
  assertEquals(world.slow.length, 10);
});

Deno.test("a network whose names are slow has two look-ups, and keeps nobody else from theirs", async () => {
  await using server = await goodServer();
  const world = slowWorld({ [PUBLIC_ADDRESS]: server });
  await flood(world, "a");
  assertEquals(world.slow.length, 2);
  await flood(world, "b");
  assertEquals(world.slow.length, 4);
  for (let nth = 0; nth < 20; nth++) {
    assertEquals((await world.askFor(`honest ${nth}`)).body, "{}");
  }
  await assertRejects(() => world.askFor("a"), FetchBusy);
});

Deno.test("it takes six networks with slow names to keep others from being looked up", async () => {
  await using server = await goodServer();
  const world = slowWorld({ [PUBLIC_ADDRESS]: server });
  let networks = 0;
  for (let isOpen = true; isOpen;) {
    await flood(world, `network ${networks++}`);
    isOpen = await world.askFor("honest").then(() => true, () => false);
  }
  assertEquals(networks, 6);
});

Deno.test("a slow name asked for from many networks has two look-ups", async () => {
  const world = slowWorld();
  const asked = Array.from(
    { length: 10 },
    (_, nth) =>
      world.fetcher.getJson("https://one.slow.example/c", {
        ...DOCUMENT_POLICY,
        timeoutMs: 100,
        asker: `network ${nth}`,
      }),
  );
  await Promise.allSettled(asked);
  assertEquals(world.slow.length, 2);
});

Deno.test("messages to slow names of one account leave look-ups to those of others", async () => {
  await using server = await goodServer();
  const world = slowWorld({ [PUBLIC_ADDRESS]: server });
  const notify = (url: string, asker: string, timeoutMs: number) =>
    world.fetcher.notify(url, { body: "{}", headers: {}, timeoutMs, asker });
  const asked = Array.from(
    { length: 10 },
    (_, nth) => notify(`https://hook${nth}.slow.example/h`, "rival", 100),
  );
  await Promise.allSettled(asked);
  assertEquals(world.slow.length, 2);
  assertEquals(await notify("https://client.example/h", "other", 2_000), 200);
});
