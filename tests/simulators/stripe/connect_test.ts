import { assert, assertEquals, assertThrows } from "@std/assert";
import type Stripe from "stripe";
import { submit, visit } from "./browser.ts";
import { eventsOf } from "./money.ts";
import { refusal, withSimulator } from "./support.ts";

const BACK = {
  return_url: "https://shop.example/partner/onboarding/return",
  refresh_url: "https://shop.example/partner/onboarding/again",
};
const FUNDS = 100_000;

Deno.test("the page of an account sets it up, is for one use, and is told of", () =>
  withSimulator(async ({ stripe, clock }) => {
    const account = await newAccount(stripe);
    assertEquals(
      [account.details_submitted, account.payouts_enabled],
      [false, false],
    );
    assert(account.requirements?.currently_due?.includes("external_account"));
    const url = await linkTo(stripe, account.id);
    const page = await visit(url);
    assertEquals([page.status, page.title], [200, "Get paid"]);
    assertEquals(page.links["Leave and go on later"], BACK.return_url);
    const done = await submit(url, { choice: "complete" });
    assertEquals([done.status, done.location], [303, BACK.return_url]);
    const after = await stripe.accounts.retrieve(account.id);
    assertEquals([after.details_submitted, after.payouts_enabled], [
      true,
      true,
    ]);
    assertEquals(after.requirements?.currently_due, []);
    assertEquals((await visit(url)).location, BACK.refresh_url);
    const { data: [event] } = await stripe.events.list({
      type: "account.updated",
    });
    assertEquals(event?.account, account.id);
    const late = await linkTo(stripe, account.id);
    clock.advance(5 * 60_000);
    assertEquals((await visit(late)).location, BACK.refresh_url);
  }));

Deno.test("an account whose owner is being looked at, or is refused, gets no money", () =>
  withSimulator(async ({ sim, stripe }) => {
    sim.control.partners.topUp(FUNDS);
    for (const choice of ["in_review", "reject"]) {
      const { id } = await newAccount(stripe);
      await submit(await linkTo(stripe, id), { choice });
      const account = await stripe.accounts.retrieve(id);
      assertEquals(account.payouts_enabled, false);
      const refused = await refusal(transfer(stripe, id, 5_000));
      assertEquals(refused.code, "insufficient_capabilities_for_transfer");
    }
    assertEquals(sim.control.partners.balance, FUNDS);
  }));

Deno.test("a transfer moves money once, within what there is, and comes back in parts", () =>
  withSimulator(async ({ sim, stripe }) => {
    const { id } = await newAccount(stripe);
    sim.control.partners.turn(id, "complete");
    const poor = await refusal(transfer(stripe, id, 5_000));
    assertEquals(poor.code, "balance_insufficient");
    sim.control.partners.topUp(FUNDS);
    const made = await transfer(stripe, id, 5_000, "po_1");
    assertEquals((await transfer(stripe, id, 5_000, "po_1")).id, made.id);
    const found = await stripe.transfers.list({ transfer_group: "po_1" });
    assertEquals(found.data.map(({ amount }) => amount), [5_000]);
    sim.control.partners.reverse(made.id, 2_000);
    sim.control.partners.reverse(made.id);
    const after = await stripe.transfers.retrieve(made.id);
    assertEquals([after.amount_reversed, after.reversed], [5_000, true]);
    assertEquals(after.reversals.data.map(({ amount }) => amount), [
      3_000,
      2_000,
    ]);
    assertThrows(() => sim.control.partners.reverse(made.id, 1));
    const { data } = await stripe.balanceTransactions.list({
      expand: ["data.source"],
    });
    assertEquals(
      data.map(({ reporting_category, amount }) => [
        reporting_category,
        amount,
      ]),
      [
        ["transfer_reversal", 3_000],
        ["transfer_reversal", 2_000],
        ["transfer", -5_000],
        ["topup", FUNDS],
      ],
    );
    assertEquals((await eventsOf(stripe, "transfer.reversed")).length, 2);
  }));

Deno.test("accounts and transfers outlive a restart of the simulator", async () => {
  const booksPath = await Deno.makeTempFile();
  await withSimulator(async (bench) => {
    const { id } = await newAccount(bench.stripe);
    bench.sim.control.partners.turn(id, "complete");
    bench.sim.control.partners.topUp(FUNDS);
    const made = await transfer(bench.stripe, id, 7_000, "po_2");
    await bench.restart();
    const found = await bench.stripe.transfers.list({ transfer_group: "po_2" });
    assertEquals(found.data.map((each) => each.id), [made.id]);
  }, { booksPath });
});

function newAccount(stripe: Stripe): Promise<Stripe.Account> {
  return stripe.accounts.create({
    type: "express",
    country: "AT",
    capabilities: { transfers: { requested: true } },
  });
}

async function linkTo(stripe: Stripe, account: string): Promise<string> {
  const type = "account_onboarding";
  return (await stripe.accountLinks.create({ account, type, ...BACK })).url;
}

function transfer(
  stripe: Stripe,
  destination: string,
  amount: number,
  key?: string,
): Promise<Stripe.Transfer> {
  return stripe.transfers.create({
    amount,
    currency: "eur",
    destination,
    ...key === undefined ? {} : { transfer_group: key },
  }, key === undefined ? {} : { idempotencyKey: key });
}
