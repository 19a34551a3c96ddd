import { assertEquals } from "@std/assert";
import { FetchRefused } from "../../../../domain/fetching/fetcher.ts";
import type { ClientAuthentication } from "../../../../domain/oauth/client.ts";
import { registerClient } from "../../../../domain/oauth/clients/register_client.ts";
import {
  type ClientDirectory,
  createClientDirectory,
} from "../../../../domain/oauth/clients/resolve_client.ts";
import { BID_SETTINGS } from "../../../support/bidding_world.ts";
import { CLIENT_DOCUMENT, CLIENT_ID } from "../../../support/client_host.ts";
import { assertRefused } from "../../../support/refused.ts";
import {
  asker,
  type DocumentBench,
  fetched,
  openDocumentBench,
} from "./document_bench.ts";

const ASKER = asker("n1");
const KEYS = [{ kty: "EC", crv: "P-256", x: "x", y: "y" }];
const KEYS_URL = "https://agent.example/keys.json";

function directoryOf(bench: DocumentBench): ClientDirectory {
  const { fetcher, store, clock } = bench;
  const services = { fetcher, store, clock, settings: BID_SETTINGS };
  return createClientDirectory(services, bench.queue());
}

Deno.test("resolve() finds registered clients in the store, and no others", async () => {
  await using bench = await openDocumentBench();
  const directory = directoryOf(bench);
  const redirectUris = ["https://agent.example/callback"];
  const { client } = await registerClient(bench, { name: "A", redirectUris });
  assertEquals(await directory.resolve(client.id, ASKER), {
    id: client.id,
    name: "A",
    host: null,
    redirectUris,
    authentication: { method: "none" },
  });
  assertEquals(await directory.resolve("dcr_nobody", ASKER), null);
  assertEquals(await directory.resolve("http://agent.example/c", ASKER), null);
  assertEquals(bench.asked, []);
});

Deno.test("resolve() reads the document at an address, and refuses every fault alike", async () => {
  await using bench = await openDocumentBench();
  const directory = directoryOf(bench);
  const faults = [
    () => Promise.resolve(fetched("{}")),
    () => Promise.reject(new FetchRefused()),
  ];
  for (const fault of faults) {
    bench.answer = fault;
    const refusal = await assertRefused(
      () => directory.resolve(CLIENT_ID, ASKER),
      "authorization_unusable",
    );
    assertEquals(
      refusal.message,
      "Cannot connect the application: agent.example does not describe it in " +
        "a way that can be read",
    );
  }
  const document = JSON.stringify(CLIENT_DOCUMENT);
  bench.answer = () => Promise.resolve(fetched(document));
  const client = await directory.resolve(CLIENT_ID, ASKER);
  assertEquals([client?.name, client?.host], ["Bid Agent", "agent.example"]);
});

Deno.test("keysOf() knows the keys of a client that signs, from its document or the address it names", async () => {
  await using bench = await openDocumentBench();
  const directory = directoryOf(bench);
  const keysOf = (authentication: ClientAuthentication) =>
    directory.keysOf({ authentication, isApproved: true }, ASKER);
  const method = "private_key_jwt" as const;
  const keysAt = (jwksUri: string) => keysOf({ method, jwks: null, jwksUri });
  assertEquals(await keysOf({ method: "none" }), null);
  const inside = { method, jwks: KEYS, jwksUri: null };
  assertEquals(await keysOf(inside), KEYS);
  assertEquals(await keysAt("https://agent.example:8443/keys.json"), null);
  assertEquals(bench.asked, []);
  for (const bad of ["{", '{"keys":[]}']) {
    bench.answer = () => Promise.resolve(fetched(bad));
    assertEquals(await keysAt(KEYS_URL), null);
  }
  bench.answer = () => Promise.resolve(fetched(JSON.stringify({ keys: KEYS })));
  assertEquals(await keysAt(KEYS_URL), KEYS);
  assertEquals(await keysAt(KEYS_URL), KEYS);
  assertEquals(bench.asked.length, 3);
});
