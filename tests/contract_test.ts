/**
 * Holds docs/contract.md to what is built: its operations and tools of the
 * agent API are those that are served, and what it calls planned is not.
 */
import { assert, assertEquals } from "@std/assert";
import { SCOPES } from "../domain/oauth/grant.ts";
import { advertiserTools } from "../routes/auth/mcp/advertiser_tools.ts";
import { requestAccess } from "../routes/auth/mcp/request_access.ts";
import { OPERATIONS } from "../routes/discovery/openapi/document.ts";
import { ROOT } from "../tools/own_modules.ts";
import { tablesOf } from "./support/doc_tables.ts";

const CONTRACT = await Deno.readTextFile(`${ROOT}docs/contract.md`);
const TABLES = tablesOf(CONTRACT);

/** The rows of the table with these columns. */
function rowsOf(...columns: string[]): readonly (readonly string[])[] {
  const table = TABLES.find(({ head }) => head.join() === columns.join());
  return table?.rows ?? [];
}

/** An operation without the names of what its path holds. */
function unnamed(operation: string): string {
  return operation.replace(/\{[a-z_]+\}/g, "{}");
}

/** What stands between backticks. */
function codeIn(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code);
}

const AGENT_API = "/v1/agent";
const SERVED = OPERATIONS.filter(({ kind }) => kind === "agent").map(
  ({ method, path, scope }) => ({
    scope,
    operation: unnamed(
      `${method.toUpperCase()} ${path.slice(AGENT_API.length)}`,
    ),
  }),
);
/** One tool is no operation: it asks for scopes. */
const TOOLS = advertiserTools({ settings: {} } as never)
  .filter(({ name }) => name !== requestAccess.name)
  .map(({ name, scope }) => ({ name, scope }));
const OPERATION_ROWS = rowsOf("Scope", "Operation", "MCP tool");
const PLANNED = rowsOf("What", "Planned").map(([, text = ""]) => codeIn(text));

Deno.test("docs/contract.md has the operations of the agent API with their scopes, and no other", () => {
  const written = OPERATION_ROWS.map(([scope = "", operation = ""]) =>
    [...codeIn(unnamed(operation)), ...codeIn(scope)].join(" needs ")
  );
  assertEquals(
    written.toSorted(),
    SERVED.map(({ operation, scope }) => `${operation} needs ${scope}`)
      .toSorted(),
  );
});

Deno.test("docs/contract.md has the tools of the advertiser server with their scopes, and no other", () => {
  const written = OPERATION_ROWS.flatMap(([scope = "", , tool = ""]) =>
    codeIn(tool).map((name) => [name, ...codeIn(scope)].join(" needs "))
  );
  assertEquals(
    written.toSorted(),
    TOOLS.map(({ name, scope }) => `${name} needs ${scope}`).toSorted(),
  );
});

Deno.test("what docs/contract.md calls planned is served by no operation and no tool", () => {
  const named = new Set(PLANNED.flat());
  const operations = [...named].filter((code) => /^[A-Z]+ \//.test(code));
  assert(PLANNED.length > 0);
  const served = new Set(SERVED.map(({ operation }) => operation));
  const tools = TOOLS.map(({ name }) => name);
  assertEquals(operations.filter((each) => served.has(unnamed(each))), []);
  assertEquals(tools.filter((each) => named.has(each)), []);
});

Deno.test("a scope without an operation is planned in docs/contract.md, and no other scope of the kind", () => {
  const used = new Set(SERVED.map(({ scope }) => scope));
  const unused = SCOPES.filter((scope) => !used.has(scope));
  const planned = rowsOf("What", "Planned").flatMap(([what = ""]) =>
    codeIn(what)
  );
  assertEquals(planned.toSorted(), unused.toSorted());
});
