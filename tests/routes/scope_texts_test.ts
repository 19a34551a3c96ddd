import { assert, assertEquals } from "@std/assert";
import { SCOPES } from "../../domain/oauth/grant.ts";
import { isPartnerScope } from "../../domain/oauth/withheld_scopes.ts";
import { AGENT_OPERATIONS } from "../../routes/operations/agent_operations.ts";
import { isWriteScope, needsFreshSignIn } from "../../routes/scope_texts.ts";
import { SCOPE_TEXTS } from "../../domain/oauth/scope_texts.ts";

Deno.test("every scope has a label and a detail of its own", () => {
  const labels = SCOPES.map((scope) => SCOPE_TEXTS[scope].label);
  assertEquals(new Set(labels).size, SCOPES.length);
  for (const scope of SCOPES) {
    const { label, detail } = SCOPE_TEXTS[scope];
    assertEquals(/^[A-Z][^.]*$/.test(label), true, label);
    assertEquals(/^[A-Z].*\.$/.test(detail), true, detail);
  }
});

Deno.test("plain words never show the name of a scope", () => {
  for (const { label, detail } of Object.values(SCOPE_TEXTS)) {
    assertEquals(/\w:\w/.test(`${label} ${detail}`), false, label);
  }
});

Deno.test("isWriteScope() separates what changes something", () => {
  assertEquals(SCOPES.filter(isWriteScope), [
    "account:write",
    "bids:write",
    "creatives:write",
    "billing:write",
    "security:write",
    "privacy:write",
    "connections:write",
    "affiliate:write",
  ]);
});

Deno.test("isPartnerScope() names the affiliate scopes", () => {
  assertEquals(SCOPES.filter(isPartnerScope), [
    "affiliate:read",
    "affiliate:write",
  ]);
});

Deno.test("needsFreshSignIn() holds for what spends, pays out, secures, erases or says who is told", () => {
  assertEquals(SCOPES.filter((scope) => needsFreshSignIn([scope])), [
    "account:write",
    "bids:write",
    "billing:write",
    "security:write",
    "privacy:write",
    "affiliate:write",
  ]);
  assertEquals(needsFreshSignIn([]), false);
});

Deno.test("K8 whatever lets an agent set a webhook needs a fresh sign-in", () => {
  const setting = AGENT_OPERATIONS.filter((operation) =>
    operation.kind === "change" && operation.schema === "EventCallback"
  );
  assertEquals(setting.map(({ at }) => at), [
    "PUT /events/callback",
    "PUT /affiliate/callback",
  ]);
  for (const { at, scope } of setting) {
    assert(scope !== null && needsFreshSignIn([scope]), at);
  }
});
