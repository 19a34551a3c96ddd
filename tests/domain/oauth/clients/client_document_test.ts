import { assertEquals } from "@std/assert";
import { parseClientDocument } from "../../../../domain/oauth/clients/client_document.ts";

const URL_OF_IT = "https://agent.example/client.json";

/** Whether a document with these members is taken. */
function isTaken(members: Record<string, unknown>, local = false): boolean {
  const document = {
    client_id: URL_OF_IT,
    client_name: "Agent",
    redirect_uris: ["https://agent.example/callback"],
    ...members,
  };
  const context = { url: URL_OF_IT, local };
  return parseClientDocument(JSON.stringify(document), context) !== null;
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
