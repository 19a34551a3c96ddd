import { assertEquals } from "@std/assert";
import { parseClientDocument } from "../../../../domain/oauth/clients/client_document.ts";

const URL_OF_IT = "https://agent.example/client.json";

/** The client that a document with these members describes. */
function clientOf(members: Record<string, unknown>, local = false) {
  const document = {
    client_id: URL_OF_IT,
    client_name: "Agent",
    redirect_uris: ["https://agent.example/callback"],
    ...members,
  };
  const context = { url: URL_OF_IT, local };
  return parseClientDocument(JSON.stringify(document), context);
}

/** Whether a document with these members is taken. */
function isTaken(members: Record<string, unknown>, local = false): boolean {
  return clientOf(members, local) !== null;
}

for (
  const member of [
    "client_uri",
    "logo_uri",
    "tos_uri",
    "policy_uri",
    "jwks_uri",
  ]
) {
  Deno.test(`parseClientDocument() takes https in ${member}, and http of this machine in development alone`, () => {
    const said = (value: unknown, local?: boolean) =>
      isTaken({ [member]: value }, local);
    assertEquals(said("https://agent.example/x"), true);
    assertEquals(said("http://localhost:8000/x"), false);
    assertEquals(said("http://localhost:8000/x", true), true);
    assertEquals(said("http://agent.example/x", true), false);
    assertEquals(said("ftp://localhost/x", true), false);
    for (const other of ["agent", "", 1, null, ["https://agent.example/x"]]) {
      assertEquals(said(other, true), false, JSON.stringify(other));
    }
  });
}

Deno.test("parseClientDocument() takes a document of its own address without a secret", () => {
  assertEquals(isTaken({}), true);
  assertEquals(isTaken({ client_id: `${URL_OF_IT}?other` }), false);
  assertEquals(isTaken({ client_secret: "s" }), false);
  assertEquals(isTaken({ client_secret_expires_at: 0 }), false);
});

Deno.test("parseClientDocument() takes a document with a name and an address to redirect to, and tells its host", () => {
  assertEquals(clientOf({}), {
    id: URL_OF_IT,
    name: "Agent",
    host: "agent.example",
    redirectUris: ["https://agent.example/callback"],
    authentication: { method: "none" },
  });
  assertEquals(isTaken({ client_name: "" }), false);
  assertEquals(isTaken({ client_name: undefined }), false);
  assertEquals(isTaken({ redirect_uris: ["myapp://callback"] }), false);
  assertEquals(isTaken({ redirect_uris: undefined }), false);
  const context = { url: URL_OF_IT, local: false };
  for (const text of ["", "null", "[]", JSON.stringify(URL_OF_IT)]) {
    assertEquals(parseClientDocument(text, context), null, text);
  }
});

const KEYS = { keys: [{ kty: "EC", crv: "P-256", x: "x", y: "y" }] };
const KEYS_URL = "https://agent.example/keys.json";
const SIGNS = { token_endpoint_auth_method: "private_key_jwt" };

Deno.test("parseClientDocument() takes a client that signs with keys of its own, either in the document or at one address", () => {
  const authenticationOf = (members: Record<string, unknown>) =>
    clientOf({ ...SIGNS, ...members })?.authentication ?? null;
  const method = "private_key_jwt";
  assertEquals(
    authenticationOf({ jwks: KEYS }),
    { method, jwks: KEYS.keys, jwksUri: null },
  );
  assertEquals(
    authenticationOf({ jwks_uri: KEYS_URL }),
    { method, jwks: null, jwksUri: KEYS_URL },
  );
  assertEquals(authenticationOf({}), null);
  assertEquals(authenticationOf({ jwks: KEYS, jwks_uri: KEYS_URL }), null);
  // Keys that can't be used are not made good by an address beside them.
  for (const jwks of [null, { keys: [] }]) {
    assertEquals(authenticationOf({ jwks, jwks_uri: KEYS_URL }), null);
  }
});

Deno.test("parseClientDocument() takes a client that can do without keys for a public one, and refuses every other way", () => {
  const methodOf = (also: unknown, method: unknown = "private_key_jwt") =>
    clientOf({
      token_endpoint_auth_method: method,
      token_endpoint_auth_methods_supported: also,
      jwks: KEYS,
    })?.authentication.method ?? null;
  assertEquals(methodOf(undefined), "private_key_jwt");
  assertEquals(methodOf([]), "private_key_jwt");
  assertEquals(methodOf(["private_key_jwt", "none"]), "none");
  assertEquals(methodOf(undefined, "none"), "none");
  assertEquals(methodOf(["none"], "client_secret_basic"), "none");
  assertEquals(methodOf(undefined, "client_secret_basic"), null);
  for (const also of ["none", { includes: "none" }, 1]) {
    assertEquals(methodOf(also), null, JSON.stringify(also));
    assertEquals(methodOf(also, "none"), null, JSON.stringify(also));
  }
});
