import { assertEquals } from "@std/assert";
import type Stripe from "stripe";
import { type Bench, refusal, withSimulator } from "./support.ts";

/** Paid payments, a second apart; their ids, oldest first. */
async function paidInARow(
  { stripe, clock }: Bench,
  count: number,
): Promise<string[]> {
  const ids: string[] = [];
  for (let at = 0; at < count; at++) {
    const { id } = await stripe.paymentIntents.create({
      amount: 500,
      currency: "eur",
      payment_method: "pm_card_nl",
      confirm: true,
    });
    ids.push(id);
    clock.advance(1_000);
  }
  return ids;
}

function idsOf({ data }: { data: { id: string }[] }): string[] {
  return data.map(({ id }) => id);
}

Deno.test("GET /v1/payment_intents lists those made in a span of time, newest first", () =>
  withSimulator(async (bench) => {
    const start = bench.clock.nowMs / 1_000;
    const ids = await paidInARow(bench, 5);
    const list = async (created: Stripe.RangeQueryParam | number) =>
      idsOf(await bench.stripe.paymentIntents.list({ created }));
    const newest = ids.toReversed();
    assertEquals(await list({ gte: start, lte: start + 4 }), newest);
    assertEquals(await list({ gte: start + 3 }), newest.slice(0, 2));
    assertEquals(await list({ gt: start + 3 }), newest.slice(0, 1));
    assertEquals(await list({ lte: start + 1 }), newest.slice(3));
    assertEquals(await list({ lt: start + 1 }), newest.slice(4));
    assertEquals(await list(start + 2), [ids[2]]);
    assertEquals(await list({ gt: start + 4 }), []);
  }));

Deno.test("GET /v1/payment_intents goes on after a cursor within its span of time", () =>
  withSimulator(async (bench) => {
    const start = bench.clock.nowMs / 1_000;
    const newest = (await paidInARow(bench, 7)).toReversed();
    const pages: string[][] = [];
    let after: string | undefined;
    do {
      const page = await bench.stripe.paymentIntents.list({
        created: { gte: start + 1, lte: start + 5 },
        limit: 2,
        ...(after === undefined ? {} : { starting_after: after }),
      });
      pages.push(idsOf(page));
      after = page.has_more ? page.data.at(-1)?.id : undefined;
      await paidInARow(bench, 1); // what comes in meanwhile shifts no page
    } while (after !== undefined);
    assertEquals(pages, [newest.slice(1, 3), newest.slice(3, 5), [newest[5]]]);
  }));

Deno.test("GET /v1/payment_intents shows the last charge of each whole when asked, null where there is none", () =>
  withSimulator(async (bench) => {
    const { stripe } = bench;
    await paidInARow(bench, 1);
    await stripe.paymentIntents.create({ amount: 500, currency: "eur" });
    const { data } = await stripe.paymentIntents.list({
      expand: ["data.latest_charge"],
    });
    const [none, some] = data.map(({ latest_charge }) => latest_charge);
    const charge = some as Stripe.Charge;
    assertEquals(none, null);
    assertEquals(charge.payment_method_details?.card?.country, "NL");

    const wrong = await refusal(
      stripe.paymentIntents.list({ expand: ["latest_charge"] }),
    );
    assertEquals([wrong.statusCode, wrong.param], [400, "expand"]);
  }));

/** Test cards by country with the last digits of their documented numbers. */
const CARDS: [country: string, last4: string][] = [
  ["AT", "0008"],
  ["AU", "0006"],
  ["BE", "0004"],
  ["BR", "0002"],
  ["CA", "0000"],
  ["CH", "0009"],
  ["CZ", "0002"],
  ["DE", "0016"],
  ["DK", "0001"],
  ["ES", "0007"],
  ["FI", "0001"],
  ["FR", "0003"],
  ["GB", "0000"],
  ["GR", "0030"],
  ["IE", "0005"],
  ["IT", "0008"],
  ["JP", "0003"],
  ["LU", "0006"],
  ["MX", "8001"],
  ["NL", "0002"],
  ["NO", "0007"],
  ["PL", "0005"],
  ["PT", "0007"],
  ["SE", "0008"],
  ["US", "4242"],
];

Deno.test("The test card of a country pays and tells its country", () =>
  withSimulator(async ({ stripe }) => {
    const fingerprints = new Set<string>();
    for (const [country, last4] of CARDS) {
      const { status, latest_charge } = await stripe.paymentIntents.create({
        amount: 500,
        currency: "eur",
        payment_method: `pm_card_${country.toLowerCase()}`,
        confirm: true,
        expand: ["latest_charge"],
      });
      const charge = latest_charge as Stripe.Charge;
      const card = charge.payment_method_details?.card;
      assertEquals(
        [status, card?.brand, card?.country, card?.last4],
        ["succeeded", "visa", country, last4],
      );
      fingerprints.add(card?.fingerprint ?? "");
    }
    assertEquals(fingerprints.size, CARDS.length, "each is a card of its own");
  }));
