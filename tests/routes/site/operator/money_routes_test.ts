import { assert, assertEquals } from "@std/assert";
import { answerOf, assertProblem, openOperatorSite } from "./operator_site.ts";

const TODAY = "2026-11-20";

Deno.test("POST refund of a day nobody paid for is a conflict", async () => {
  await using site = await openOperatorSite();
  for (const action of ["open", "close", "settle"]) {
    await answerOf(await site.operate("POST", `auctions/${TODAY}/${action}`));
  }
  const answer = await site.operate("POST", `spotlights/${TODAY}/refund`, {
    body: { note: "goodwill" },
  });
  await assertProblem(
    answer,
    409,
    "CONFLICT",
    `Cannot give back the money of ${TODAY}: nobody paid for it, or a dispute ` +
      "took it",
  );
});

Deno.test("POST refund without a note is refused", async () => {
  await using site = await openOperatorSite();
  for (const body of [{}, { note: " " }, { note: 7 }, { note: "a", more: 1 }]) {
    const answer = await site.operate("POST", `spotlights/${TODAY}/refund`, {
      body,
    });
    assertEquals(answer.status, 400);
    const { code, detail } = await answer.json();
    assertEquals(code, "VALIDATION_FAILED");
    assert(detail.startsWith("Cannot give the money back: "), detail);
  }
});

Deno.test("POST lift_block of an unknown account is 404", async () => {
  await using site = await openOperatorSite();
  const answer = await site.operate("POST", "accounts/acc_none/lift_block");
  await assertProblem(answer, 404, "NOT_FOUND", "Cannot find the account");
});

Deno.test("POST lift_block answers whether the account is still blocked", async () => {
  await using site = await openOperatorSite();
  const { account } = await lostDispute(site.services);
  const answer = await answerOf(
    await site.operate("POST", `accounts/${account}/lift_block`),
  );
  assertEquals(answer, { account, dispute_open: false });
});

async function lostDispute(
  { store }: Awaited<ReturnType<typeof openOperatorSite>>["services"],
): Promise<{ account: string }> {
  const account = "acc_1";
  await store.transact((tx) => {
    tx.accounts.save({
      id: account,
      email: "one@example.com",
      createdAtMs: 0,
      company: null,
      vatStatus: "unverified",
      identityStatus: "unverified",
      suspendedAtMs: null,
      disputeOpen: true,
      blockingDisputes: ["dp_1"],
      cardRefused: false,
      partner: false,
      paidWins: 0,
      processorCustomerId: null,
      defaultPaymentMethodId: null,
    });
    tx.disputes.save({
      id: "dp_1",
      state: "lost",
      amountCents: 100,
      paymentId: "pi_1",
      accountId: account,
      invoiceId: null,
      reason: "fraudulent",
      openedAtMs: 0,
      evidenceDueAtMs: null,
      heldCents: 0,
      lostCents: 100,
      dueCents: 0,
      movementIds: ["txn_1"],
      moves: 2,
    });
  });
  return { account };
}

Deno.test("money routes need the operator's key", async () => {
  await using site = await openOperatorSite();
  for (
    const path of [
      `spotlights/${TODAY}/refund`,
      "accounts/acc_1/lift_block",
      `reconciliations/${TODAY}`,
    ]
  ) {
    const answer = await site.operate("POST", path, { key: null });
    assertEquals(answer.status, 401, path);
    await answer.body?.cancel();
  }
});
