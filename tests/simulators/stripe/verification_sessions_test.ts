import { assert, assertEquals, assertThrows } from "@std/assert";
import type Stripe from "stripe";
import { submit, visit } from "./browser.ts";
import { eventsOf } from "./money.ts";
import { isReplay, refusal, withSimulator } from "./support.ts";

const BACK = "https://shop.example/identity?a=1";
const HOURS_48_MS = 48 * 60 * 60 * 1_000;

function begin(
  stripe: Stripe,
  more: Partial<Stripe.Identity.VerificationSessionCreateParams> = {},
): Promise<Stripe.Response<Stripe.Identity.VerificationSession>> {
  return stripe.identity.verificationSessions.create({
    type: "document",
    client_reference_id: "acc_1",
    metadata: { account_id: "acc_1" },
    return_url: BACK,
    ...more,
  });
}

Deno.test("a new check waits for the person and has not failed", () =>
  withSimulator(async ({ stripe, sim }) => {
    const session = await begin(stripe);
    assertEquals([session.status, session.last_error], [
      "requires_input",
      null,
    ]);
    assert(session.url?.startsWith(`${sim.url}/hosted/`));
    assert(session.client_secret?.startsWith(session.id));
    const read = await stripe.identity.verificationSessions.retrieve(
      session.id,
    );
    assertEquals([read.url, read.metadata], [
      session.url,
      { account_id: "acc_1" },
    ]);
    const events = await eventsOf(stripe, "identity");
    assertEquals(events, ["identity.verification_session.created"]);
  }));

/** Choices on the page, and what each comes to. */
const CHOICES: [
  fields: Record<string, string>,
  status: string,
  error: string | null,
  events: string[],
][] = [
  [{ choice: "verify" }, "verified", null, ["processing", "verified"]],
  [{ choice: "process" }, "processing", null, ["processing"]],
  [{ choice: "cancel" }, "canceled", null, ["canceled"]],
  [
    { choice: "fail", error: "document_expired" },
    "requires_input",
    "document_expired",
    ["processing", "requires_input"],
  ],
  [
    { choice: "fail", error: "consent_declined" },
    "requires_input",
    "consent_declined",
    ["processing", "requires_input"],
  ],
];

for (const [fields, status, error, events] of CHOICES) {
  const name = Object.values(fields).join(" ");
  Deno.test(`choosing ${name} on the page leads to ${status} and back`, () =>
    withSimulator(async ({ stripe }) => {
      const { id, url } = await begin(stripe);
      const page = await visit(String(url));
      assertEquals([page.status, page.title], [200, "Verify your identity"]);
      const done = await submit(String(url), fields);
      assertEquals([done.status, done.location], [303, BACK]);
      const after = await stripe.identity.verificationSessions.retrieve(id);
      assertEquals([after.status, after.last_error?.code ?? null], [
        status,
        error,
      ]);
      const types = (await eventsOf(stripe, "identity")).slice(1);
      assertEquals(
        types,
        events.map((event) => `identity.verification_session.${event}`),
      );
    }));
}

Deno.test("an address is used once; a check that failed gets a new one", () =>
  withSimulator(async ({ stripe }) => {
    const { id, url } = await begin(stripe);
    await submit(String(url), {
      choice: "fail",
      error: "selfie_face_mismatch",
    });
    const used = await visit(String(url));
    assertEquals([used.status, used.links["Return to the seller"]], [
      410,
      BACK,
    ]);
    const late = await submit(String(url), { choice: "verify" });
    assertEquals(late.status, 410);
    const again = await stripe.identity.verificationSessions.retrieve(id);
    assertEquals(again.status, "requires_input");
    assert(again.url !== null && again.url !== url);
    const done = await submit(again.url, { choice: "verify" });
    assertEquals(done.location, BACK);
    const end = await stripe.identity.verificationSessions.retrieve(id);
    assertEquals([end.status, end.last_error, end.url, end.client_secret], [
      "verified",
      null,
      null,
      null,
    ]);
  }));

Deno.test("an address is of no use after 48 hours", () =>
  withSimulator(async ({ stripe, clock }) => {
    const { id, url } = await begin(stripe);
    clock.advance(HOURS_48_MS - 1_000);
    assertEquals((await visit(String(url))).status, 200);
    clock.advance(1_000);
    assertEquals((await visit(String(url))).status, 410);
    const read = await stripe.identity.verificationSessions.retrieve(id);
    assertEquals([read.status, read.url], ["requires_input", null]);
  }));

Deno.test("what was left in processing is decided by the control", () =>
  withSimulator(async ({ sim, stripe }) => {
    const { verificationSessions } = stripe.identity;
    const { people } = sim.control;
    const { id } = await begin(stripe);
    people.checkIdentity(id, "processing");
    assertEquals(
      (await verificationSessions.retrieve(id)).status,
      "processing",
    );
    people.checkIdentity(id, "under_supported_age");
    const failed = await verificationSessions.retrieve(id);
    assertEquals(failed.last_error?.code, "under_supported_age");
    people.checkIdentity(id, "verified");
    assertEquals((await verificationSessions.retrieve(id)).status, "verified");
    assertThrows(() => people.checkIdentity(id, "verified"), RangeError);
  }));

Deno.test("POST /v1/identity/verification_sessions repeats under a key and refuses what it does not know", () =>
  withSimulator(async ({ stripe }) => {
    const { verificationSessions } = stripe.identity;
    const params: Stripe.Identity.VerificationSessionCreateParams = {
      type: "document",
      options: { document: { require_matching_selfie: true } },
    };
    const options = { idempotencyKey: "identity:1" };
    const first = await verificationSessions.create(params, options);
    const second = await verificationSessions.create(params, options);
    assertEquals([second.id, isReplay(second)], [first.id, true]);
    assertEquals(first.options?.document?.require_matching_selfie, true);
    const refused = async (more: Record<string, unknown>) =>
      (await refusal(begin(stripe, more as never))).param;
    assertEquals(await refused({ type: "id_number" }), "type");
    assertEquals(await refused({ return_url: "javascript:1" }), "return_url");
    assertEquals(await refused({ selfie: "true" }), "selfie");
  }));

Deno.test("GET /v1/identity/verification_sessions lists by reference and status", () =>
  withSimulator(async ({ sim, stripe }) => {
    const { verificationSessions } = stripe.identity;
    const one = await begin(stripe);
    const two = await begin(stripe);
    await begin(stripe, { client_reference_id: "acc_2" });
    sim.control.people.checkIdentity(two.id, "verified");
    const mine = await verificationSessions.list({
      client_reference_id: "acc_1",
    });
    assertEquals(mine.data.map(({ id }) => id), [two.id, one.id]);
    const verified = await verificationSessions.list({ status: "verified" });
    assertEquals(verified.data.map(({ id }) => id), [two.id]);
  }));

Deno.test("a person without a way back is thanked", () =>
  withSimulator(async ({ stripe }) => {
    const { url } = await stripe.identity.verificationSessions.create({
      type: "document",
    });
    const done = await submit(String(url), { choice: "verify" });
    assertEquals([done.status, done.title], [200, "Thank you"]);
  }));
