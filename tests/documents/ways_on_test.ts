/** What documents and refusals say of the way on is the same. */
import { assert, assertStringIncludes } from "@std/assert";
import { firstBid } from "../../domain/readiness/first_bid.ts";
import { refuseGrant } from "../../domain/oauth/refuse_oauth.ts";
import type { RefusalOf } from "../../domain/refusal.ts";
import { renderAgent } from "../../routes/errors/agent_surface.ts";
import { scopesWanted } from "../../routes/errors/scopes_wanted.ts";
import { snapshotOf } from "../domain/readiness/snapshots.ts";
import { ANSWER_CONTEXT, EVERY_REFUSAL, partsOf } from "../support/answers.ts";
import { documentText } from "../support/documents.ts";
import { refusalOf } from "../support/refused.ts";

Deno.test("who lacks a scope is told the same way on by the refusal and by hosts.md: allow it, then refresh", () => {
  const said = scopesWanted(["bids:write"], ANSWER_CONTEXT);
  const row = documentText("/hosts.md").split("\n")
    .find((line) => line.includes("user has not allowed")) ?? "";
  for (const text of [said, row]) {
    assertStringIncludes(text, "to this agent at");
    assertStringIncludes(text, "refresh");
    assert(!text.includes("Disconnect"), text);
  }
  // Whoever has allowed it since is not asked once more.
  assertStringIncludes(said, "or if they have since");
});

Deno.test("who comes with a token or grant that is not good is told to refresh, or to be connected again", async () => {
  const { body } = await partsOf(
    renderAgent(EVERY_REFUSAL.token_invalid, ANSWER_CONTEXT),
  );
  const { error_description: invalid } = body as { error_description: string };
  assertStringIncludes(invalid, "refresh it");
  const refused = await refusalOf(() => Promise.resolve().then(refuseGrant));
  const { description } = refused as RefusalOf<"oauth_error">;
  for (const text of [invalid, description]) {
    assertStringIncludes(text, "ask the user to connect this agent again");
    // As an error_description may be (RFC 6750 §3).
    assert(/^[\x20-\x21\x23-\x5B\x5D-\x7E]+$/.test(text), text);
  }
});

Deno.test("developers.md never promises that a key alone guards a payment: another credential is another purchase", () => {
  const text = documentText("/developers.md").replaceAll("\n", " ");
  assertStringIncludes(
    text,
    "**Another credential is another purchase, with the same key, too:**",
  );
  assertStringIncludes(text, "fresh credential is another payment");
  const rows = documentText("/developers.md").split("\n")
    .filter((line) => line.startsWith("| Paid metrics |"));
  const onKeys = rows.filter((row) => row.includes("same `Authorization`"));
  assert(onKeys.length === 2, rows.join());
  // The published program sends the very same request where it had no answer.
  assertStringIncludes(text, "await send().catch(send)");
});

Deno.test("readiness and developers.md say that a bid which is not there yet may still be on its way", () => {
  const { recovery } = firstBid(snapshotOf());
  const text = documentText("/developers.md").replaceAll("\n", " ");
  assertStringIncludes(recovery.on_uncertain, "read the bids of the original");
  for (const said of [text, recovery.on_uncertain]) {
    assertStringIncludes(said, "may still be on its way");
    assertStringIncludes(said, "same request with the same key");
  }
});

Deno.test("no document offers the auction to companies that cannot advertise", () => {
  const developers = documentText("/developers.md");
  assertStringIncludes(
    developers.replaceAll("\n", " "),
    "Companies outside the Union can't advertise yet",
  );
  assert(!developers.includes("outside the Union there is none"));
});
