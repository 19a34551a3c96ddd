/** /versioning.md says which protocol versions the tool servers speak. */
import { assertEquals } from "@std/assert";
import { withAddresses } from "../../routes/site/documents/document_pages.tsx";
import { codeIn, sectionOf } from "../support/documents.ts";
import { DevFolder } from "../tools/dev_service.ts";

/** Revisions since this one are asked without a handshake. */
const STANDING_ALONE = "2026-07-28";
/** Every revision there has been with streamable HTTP. */
const REVISIONS = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"];
const ENVELOPE = "io.modelcontextprotocol";

/** Whether a server takes a request of a protocol version. */
async function speaks(
  address: string,
  token: string,
  version: string,
): Promise<boolean> {
  const alone = version === STANDING_ALONE;
  const method = alone ? "server/discover" : "initialize";
  const params = alone
    ? {
      _meta: {
        [`${ENVELOPE}/protocolVersion`]: version,
        [`${ENVELOPE}/clientCapabilities`]: {},
      },
    }
    : {
      protocolVersion: version,
      capabilities: {},
      clientInfo: { name: "documents", version: "1" },
    };
  const answer = await fetch(address, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      authorization: `Bearer ${token}`,
      ...alone && { "mcp-protocol-version": version, "mcp-method": method },
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  const { result } = await answer.json();
  return alone
    ? result?.supportedVersions?.includes(version) === true
    : result?.protocolVersion === version;
}

Deno.test("/versioning.md says the protocol versions of each tool server, and no other", async () => {
  await using folder = await DevFolder.make();
  const file = await folder.start();
  const token = file.accounts[0]?.access_token ?? "";
  const table = withAddresses(
    sectionOf("/versioning.md", "Versions of the tool servers"),
    {
      baseUrl: file.base_url,
      authUrl: file.auth_url,
      docsMcpUrl: file.docs_mcp_url,
    },
  );
  const rows = table.split("\n").filter((line) => line.includes("| `http"));
  assertEquals(rows.length, 3);
  for (const row of rows) {
    const [address = "", ...named] = codeIn(row);
    const spoken = [];
    for (const version of REVISIONS) {
      if (await speaks(address, token, version)) spoken.push(version);
    }
    assertEquals(named, spoken, address);
  }
});
