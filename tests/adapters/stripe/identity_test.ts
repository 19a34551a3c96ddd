import { assert, assertEquals, assertRejects } from "@std/assert";
import { ProcessorUncertain } from "../../../domain/failure.ts";
import { valueOf, withProcessor } from "./desk.ts";
import { OneAnswer } from "./one_answer.ts";
import { submit } from "../../simulators/stripe/browser.ts";

const INPUT = { accountId: "acc_1", returnUrl: "https://shop.example/back" };

Deno.test("createIdentitySession() asks for a document, under its key", async () => {
  await using server = new OneAnswer(200, {
    id: "vs_1",
    object: "identity.verification_session",
    status: "requires_input",
    metadata: { account_id: "acc_1" },
    last_error: null,
    url: "https://verify.stripe.com/start/1",
  });
  await server.processor.createIdentitySession(INPUT, "identity:1");
  assertEquals(server.asked, [{
    method: "POST",
    path: "/v1/identity/verification_sessions",
    key: "identity:1",
    form: {
      type: "document",
      client_reference_id: "acc_1",
      "metadata[account_id]": "acc_1",
      return_url: INPUT.returnUrl,
    },
  }]);
});

Deno.test("a check is followed from its page to its outcome", () =>
  withProcessor(async ({ processor }) => {
    const made = valueOf(
      await processor.createIdentitySession(INPUT, "identity:1"),
    );
    const { id, url } = made;
    assertEquals({ ...made, url: "" }, {
      id,
      status: "requires_input",
      accountId: "acc_1",
      lastErrorCode: null,
      url: "",
      isRedacted: false,
    });
    await submit(String(url), { choice: "fail", error: "document_expired" });
    const failed = valueOf(await processor.retrieveIdentitySession(id));
    assertEquals([failed.status, failed.lastErrorCode], [
      "requires_input",
      "document_expired",
    ]);
    assert(failed.url !== null && failed.url !== url);
    await submit(failed.url, { choice: "verify" });
    const verified = valueOf(await processor.retrieveIdentitySession(id));
    assertEquals([verified.status, verified.lastErrorCode, verified.url], [
      "verified",
      null,
      null,
    ]);
  }));

Deno.test("a check of somebody else names no account", () =>
  withProcessor(async ({ processor, stripe }) => {
    const { id } = await stripe.identity.verificationSessions.create({
      type: "document",
    });
    const session = valueOf(await processor.retrieveIdentitySession(id));
    assertEquals(session.accountId, null);
  }));

Deno.test("a status nobody knows is no verification", async () => {
  await using server = new OneAnswer(200, {
    id: "vs_1",
    object: "identity.verification_session",
    status: "redacted",
    metadata: {},
    last_error: null,
    url: null,
  });
  await assertRejects(
    () => server.processor.retrieveIdentitySession("vs_1"),
    ProcessorUncertain,
  );
});

Deno.test("a lost answer and its repeat begin one check", () =>
  withProcessor(async ({ processor, sim }) => {
    sim.control.addFault({ kind: "reset_after_effect" });
    const begin = () => processor.createIdentitySession(INPUT, "identity:1");
    await assertRejects(begin, ProcessorUncertain);
    const { id } = valueOf(await begin());
    const sessions = sim.control.objects("verification_session");
    assertEquals(sessions.map((session) => session.id), [id]);
  }));

Deno.test("the checks of an account are listed, and redacted for good", () =>
  withProcessor(async ({ processor, sim }) => {
    const begin = async (accountId: string, key: string) =>
      valueOf(
        await processor.createIdentitySession({ ...INPUT, accountId }, key),
      );
    const [first, verified] = [
      await begin("acc_1", "one"),
      await begin("acc_1", "two"),
    ];
    await begin("acc_2", "three");
    await submit(String(verified.url), { choice: "verify" });
    const list = async (cursor: string | null, limit: number) =>
      valueOf(await processor.listIdentitySessions("acc_1", cursor, limit));
    const page = await list(null, 1);
    const rest = await list(page.nextCursor, 1);
    assertEquals(
      [...page.items, ...rest.items].map(({ id }) => id).toSorted(),
      [first.id, verified.id].toSorted(),
    );
    assertEquals(rest.nextCursor, null);
    for (const { id } of [first, verified]) {
      valueOf(await processor.redactIdentitySession(id, `redact:${id}`));
    }
    const after = (await list(null, 10)).items;
    assertEquals(
      after.map(({ status, isRedacted, url, accountId }) => [
        status,
        isRedacted,
        url,
        accountId,
      ]).toSorted(),
      [["canceled", true, null, null], ["verified", true, null, null]],
    );
    const again = await processor.redactIdentitySession(first.id, "again");
    assertEquals(again.ok, false);
    const others = sim.control.objects("verification_session")
      .filter(({ redaction }) => redaction === null);
    assertEquals(others.map((each) => each.client_reference_id), ["acc_2"]);
  }));
