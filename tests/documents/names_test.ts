/** What the published documents name exists, and what exists is named there. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { ACP_VERSIONS, acpErrorOf } from "../../domain/checkout/acp_error.ts";
import { BID_STATUSES } from "../../domain/bids/bid.ts";
import { CHECKOUT_EDGES } from "../../domain/checkout/session.ts";
import type { CheckoutRefusal } from "../../domain/checkout/refusal.ts";
import { CREATIVE_STATES } from "../../domain/creatives/creative.ts";
import { POLICIES, POLICY_IDS } from "../../domain/creatives/policies.ts";
import type { Day } from "../../domain/day.ts";
import { SCOPES } from "../../domain/oauth/grant.ts";
import { inOrder, pageOf } from "../../domain/pages.ts";
import type { HumanStep } from "../../domain/refusal.ts";
import { docsTools } from "../../routes/docs_mcp/docs_tools.ts";
import { publicTools } from "../../routes/site/mcp/public_tools.ts";
import { AGENT_CODES } from "../../routes/errors/coded_problem.ts";
import { PROBLEM_TYPES } from "../../routes/errors/problem_types.ts";
import { RETRIEVAL_VERSION } from "../../routes/errors/retrieval_surface.ts";
import { ROOT } from "../../tools/own_modules.ts";
import {
  codeIn,
  codeInColumn,
  DOCUMENT_PATHS,
  documentText,
  fencesOf,
  sectionOf,
  sectionsOf,
} from "../support/documents.ts";

const DEVELOPERS = "/developers.md";
const AUTH = "/auth.md";
const TODAY = "2026-11-20" as Day;

/** Every code span of every document. */
const NAMED = DOCUMENT_PATHS.flatMap((path) => codeIn(documentText(path)));

/** The first column of the table under a heading. */
function column(path: string, heading: string): string[] {
  return codeInColumn(sectionOf(path, heading), 0);
}

function assertSame(named: Iterable<string>, known: Iterable<string>): void {
  assertEquals([...named].toSorted(), [...known].toSorted());
}

/** What a pattern finds in modules of ours, once each. */
async function literals(
  paths: readonly string[],
  pattern: RegExp,
): Promise<string[]> {
  const texts = await Promise.all(
    paths.map((path) => Deno.readTextFile(`${ROOT}${path}`)),
  );
  const found = texts.flatMap((text) => [...text.matchAll(pattern)])
    .map(([, name = ""]) => name);
  assert(found.length > 0, `${pattern} finds something`);
  return [...new Set(found)];
}

Deno.test("the documents name every scope and no other", () => {
  assertEquals(column(AUTH, "Scopes"), [...SCOPES]);
  const scopes = NAMED.filter((name) => /^[a-z]+:[a-z]+$/.test(name));
  assertSame(new Set(scopes), SCOPES);
});

Deno.test("the documents name every code of the agent API with its status, and no other", () => {
  const rows = sectionOf(DEVELOPERS, "Errors of the agent API").split("\n");
  for (const [code, { status }] of Object.entries(AGENT_CODES)) {
    const row = rows.find((line) => line.startsWith(`| \`${code}\``));
    assertStringIncludes(row ?? "", `| ${status} |`, code);
  }
  const codes = NAMED.filter((name) => /^agent\.[a-z-]+$/.test(name))
    // The host of an agent in examples.
    .filter((name) => name !== "agent.example");
  assertSame(new Set(codes), Object.keys(AGENT_CODES));
});

/** Every refusal of the checkout, a request of another shape left aside. */
const CHECKOUT_REFUSALS: {
  [Kind in Exclude<CheckoutRefusal["kind"], "malformed">]:
    readonly CheckoutRefusal[];
} = {
  version_missing: [{ kind: "version_missing" }],
  version_unsupported: [{ kind: "version_unsupported" }],
  session_not_found: [{ kind: "session_not_found" }],
  not_allowed: [
    { kind: "not_allowed", action: "update", status: "completed" },
    { kind: "not_allowed", action: "complete", status: "complete_in_progress" },
    { kind: "not_allowed", action: "complete", status: "canceled" },
    { kind: "not_allowed", action: "cancel", status: "completed" },
  ],
  item_unknown: [{ kind: "item_unknown", day: TODAY }],
  item_gone: [{ kind: "item_gone", day: TODAY }],
  attempts_exhausted: [{ kind: "attempts_exhausted" }],
  action_required: [{ kind: "action_required" }],
  payment_uncertain: [{ kind: "payment_uncertain" }],
  unpaid: [{ kind: "unpaid", status: "ready_for_payment" }],
  report_gone: [{ kind: "report_gone", day: TODAY }],
};

Deno.test("the documents name every code of the checkout and no other", async () => {
  const refused = Object.values(CHECKOUT_REFUSALS).flat()
    .map((why) => acpErrorOf(why).body.code);
  const ofSurface = await literals(
    ["routes/errors/acp_surface.ts"],
    /(?:\d{3}, |code: )"([a-z_]+)"/g,
  );
  const ofRequests = await literals([
    "routes/site/checkout/checkout_bodies.ts",
    "routes/site/checkout/checkout_gates.ts",
  ], /\bcode: "([a-z_]+)"|\? "(?=missing)/g);
  const known = new Set([
    ...refused,
    ...ofSurface,
    ...ofRequests.filter((code) => !["", "custom"].includes(code)),
    "missing",
    "invalid",
    "idempotency_key_required",
    "idempotency_conflict",
    "idempotency_in_flight",
  ]);
  assertSame(column(DEVELOPERS, "Errors of the checkout"), known);
});

Deno.test("the documents name every kind of problem and no other", async () => {
  assertSame(
    column(DEVELOPERS, "Kinds of problems"),
    Object.keys(PROBLEM_TYPES),
  );
  const slugs = await literals(
    ["routes/errors/payment_problem.ts"],
    /slug: "([a-z-]+)"/g,
  );
  const ofPayments = slugs.filter((slug) =>
    !Object.hasOwn(PROBLEM_TYPES, slug)
  );
  assertSame(column(DEVELOPERS, "Why a payment was not taken"), ofPayments);
});

Deno.test("every kind of problem, and a payment that was not taken, leads to a section of docs/developers.md", async () => {
  const sections = sectionsOf(documentText(DEVELOPERS)).map(({ slug }) => slug);
  const ofPayments = await literals(
    ["routes/errors/payment_problem.ts"],
    /\}#([a-z-]+)`/g,
  );
  const named = Object.values(PROBLEM_TYPES).map(({ section }) => section);
  for (const section of [...named, ...ofPayments]) {
    assert(sections.includes(section), section);
  }
});

Deno.test("the documents name every error of OAuth and no other", async () => {
  const codes = await literals(
    ["domain/oauth/oauth_error.ts", "routes/errors/oauth_error.ts"],
    /^ {2}\| "([a-z_]+)"/gm,
  );
  assertSame(column(AUTH, "Token errors"), codes);
});

Deno.test("the documents name every reason an account may not bid, and its page", () => {
  const reasons: Record<HumanStep, true> = {
    operator_account: true,
    suspended: true,
    onboarding_incomplete: true,
    vat_unverified: true,
    identity_unverified: true,
    no_payment_method: true,
    card_refused: true,
    dispute_open: true,
    dispute_lost: true,
    creative_not_approved: true,
  };
  const heading = "Reasons an account may not bid";
  const known = inOrder(Object.keys(reasons) as HumanStep[]);
  assertEquals(column(DEVELOPERS, heading), known);
  const rows = sectionOf(DEVELOPERS, heading).split("\n");
  for (const reason of known) {
    const row = rows.find((line) => line.startsWith(`| \`${reason}\``)) ?? "";
    const page = /\{base_url\}(\/\w+)/.exec(row)?.[1];
    if (page !== undefined) assertEquals(page, pageOf(reason));
  }
});

Deno.test("the documents say every policy for creatives in its own words", () => {
  const heading = "Creative policies";
  assertEquals(column(DEVELOPERS, heading), ["policy_id", ...POLICY_IDS]);
  const section = sectionOf(DEVELOPERS, heading);
  for (const [id, { title, rule }] of Object.entries(POLICIES)) {
    assertStringIncludes(section, `| \`${id}\` | ${title} | ${rule} |`);
  }
});

Deno.test("the documents name every state of creatives and no other", () => {
  const known = Object.keys(CREATIVE_STATES);
  assertEquals(column(DEVELOPERS, "States of a creative"), known);
});

Deno.test("the documents name every status of bids and checkouts, and no other", () => {
  assertSame(
    column(DEVELOPERS, "Status of a bid: did it win"),
    Object.keys(BID_STATUSES),
  );
  assertSame(
    column(DEVELOPERS, "Status of a session"),
    Object.keys(CHECKOUT_EDGES),
  );
});

Deno.test("the documents name every status of invoices and no other", async () => {
  const statuses = await literals(
    ["domain/invoices/invoice_status.ts"],
    /^ {2}\| "([a-z_]+)"/gm,
  );
  const [, row = ""] = /^\| `status` \|(.*)\|$/m.exec(
    sectionOf(DEVELOPERS, "Invoices"),
  ) ?? [];
  assertSame(codeIn(row), statuses);
});

Deno.test("/versioning.md says the versions that are spoken", () => {
  const versions = sectionOf("/versioning.md", "Versions in use");
  for (const version of [...ACP_VERSIONS, RETRIEVAL_VERSION]) {
    assertStringIncludes(versions, `\`${version}\``);
  }
});

Deno.test("the commands of the documents need curl and node only, and what every system has", () => {
  const commands = DOCUMENT_PATHS.flatMap((path) =>
    fencesOf(documentText(path))
  ).filter(({ mark }) => mark === "run").map(({ text }) => text).join("");
  const named = (pattern: RegExp) =>
    [...commands.matchAll(pattern)].map(([, name = ""]) => name);
  const own = named(/^([a-z]+)\(\) \{/gm);
  const called = named(/(?:\$\(|\| |\{ |^ *)([a-z]+) /gm)
    .filter((name) => !own.includes(name));
  assertSame(new Set(called), ["curl", "date", "echo", "node", "read", "tar"]);
});

Deno.test("the documents name the tools of each server, and no other", () => {
  const unasked = {} as never;
  assertEquals(
    column(DEVELOPERS, "Public tools"),
    publicTools(unasked).map(({ name }) => name),
  );
  assertEquals(
    column(DEVELOPERS, "Documentation tools").toSorted(),
    docsTools(unasked).map(({ name }) => name).toSorted(),
  );
});
