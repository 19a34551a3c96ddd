import { assertEquals } from "@std/assert";
import {
  hostOfClientId,
  isClientIdUrl,
  isLocalService,
  looksLikeUrl,
  readDocumentUrl,
} from "../../../../domain/oauth/clients/client_id_url.ts";

const PUBLIC = {
  authUrl: "https://api.spotlight.example",
  environment: "production",
} as const;
const LOCAL = {
  authUrl: "http://127.0.0.1:8001",
  environment: "development",
} as const;

Deno.test("isClientIdUrl() takes a public https address with a path of its own", () => {
  assertEquals(isClientIdUrl(PUBLIC, "https://agent.example/c.json"), true);
  assertEquals(isClientIdUrl(PUBLIC, "https://agent.example/"), false);
  assertEquals(isClientIdUrl(PUBLIC, "http://agent.example/c.json"), false);
  assertEquals(isClientIdUrl(PUBLIC, "http://localhost:9/c.json"), false);
  assertEquals(isClientIdUrl(PUBLIC, "dcr_client"), false);
});

Deno.test("readDocumentUrl() takes port 443 alone, and any on the machine of a developer", () => {
  const read = (site: typeof PUBLIC | typeof LOCAL, text: string) =>
    readDocumentUrl(site, text)?.href ?? null;
  const plain = "https://agent.example/keys.json";
  assertEquals(read(PUBLIC, plain), plain);
  assertEquals(read(PUBLIC, "https://agent.example:8443/keys.json"), null);
  const own = "http://localhost:8443/keys.json";
  assertEquals(read(PUBLIC, own), null);
  assertEquals(read(LOCAL, own), own);
  assertEquals(read(LOCAL, plain), plain);
});

Deno.test("isLocalService() is true of a development service on this machine alone", () => {
  assertEquals(isLocalService(PUBLIC), false);
  for (const host of ["localhost", "127.0.0.1:8001", "[::1]"]) {
    const authUrl = `http://${host}`;
    assertEquals(isLocalService({ ...LOCAL, authUrl }), true, host);
    assertEquals(isLocalService({ ...PUBLIC, authUrl }), false, host);
  }
  for (const host of ["localhost.example", "127.0.0.11", "a.localhost"]) {
    const authUrl = `http://${host}`;
    assertEquals(isLocalService({ ...LOCAL, authUrl }), false, host);
  }
});

Deno.test("a client id that is an address has a colon and a host", () => {
  assertEquals(looksLikeUrl("https://agent.example/c.json"), true);
  assertEquals(looksLikeUrl("dcr_client"), false);
  const withPort = "https://agent.example:8443/c.json";
  assertEquals(hostOfClientId(withPort), "agent.example:8443");
});
