import { assert, assertEquals, assertRejects } from "@std/assert";
import Stripe from "stripe";
import { Endpoint, SECRET, withEndpoint } from "./endpoint.ts";
import { type Bench, withSimulator } from "./support.ts";

async function makeCustomers(
  { stripe }: Pick<Bench, "stripe">,
  count: number,
): Promise<void> {
  for (let at = 0; at < count; at += 50) {
    const some = Math.min(50, count - at);
    await Promise.all(
      Array.from({ length: some }, () => stripe.customers.create()),
    );
  }
}

Deno.test("a lost event counts as delivered and arrives only when it is sent again", () =>
  withEndpoint(async ({ sim, stripe, timers, endpoint }) => {
    const { webhooks } = sim.control;
    webhooks.setFaults({ lose: 1 });
    await makeCustomers({ stripe }, 3);
    webhooks.setFaults({});
    await stripe.customers.create({ name: "Heard of" });
    await webhooks.idle();
    webhooks.retryNow();
    await webhooks.idle();
    assertEquals([endpoint.got.length, timers.size], [1, 0]);
    const { data } = await stripe.events.list({ delivery_success: true });
    assertEquals(data.length, 4);
    const lost = webhooks.lost();
    assertEquals([lost.length, webhooks.backlog.lost], [3, 3]);
    assertEquals(webhooks.resendLost(), 3);
    await webhooks.idle();
    assertEquals(endpoint.got.slice(1).map(({ id }) => id), lost);
    assertEquals([webhooks.lost(), webhooks.resendLost()], [[], 0]);
  }));

Deno.test("some of many events are lost, the others arrive once each", () =>
  withEndpoint(async ({ sim, stripe, endpoint }) => {
    const { webhooks } = sim.control;
    webhooks.setFaults({ lose: 0.3 });
    await makeCustomers({ stripe }, 100);
    await webhooks.idle();
    const lost = webhooks.lost();
    assert(lost.length > 10 && lost.length < 60, `${lost.length} were lost`);
    const arrived = endpoint.got.map(({ id }) => id);
    assertEquals(new Set([...arrived, ...lost]).size, 100);
    assertEquals(arrived.length + lost.length, 100);
  }));

Deno.test("what was lost is known after a restart, and is not sent by itself", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await withEndpoint(async (bench) => {
      bench.sim.control.webhooks.setFaults({ lose: 1 });
      await makeCustomers(bench, 2);
      const lost = bench.sim.control.webhooks.lost();
      await bench.restart();
      const { webhooks } = bench.sim.control;
      await webhooks.idle();
      assertEquals([webhooks.lost(), bench.endpoint.got], [lost, []]);
      webhooks.resendLost();
      await webhooks.idle();
      assertEquals(bench.endpoint.got.map(({ id }) => id), lost);
    }, { booksPath: `${folder}/books.jsonl` });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("while a secret is changed an event is signed with both", () =>
  withEndpoint(async ({ sim, stripe, clock, endpoint }) => {
    clock.nowMs = Date.now(); // the SDK reads the real time
    const url = endpoint.url;
    const webhook = { url, secret: "whsec_new", oldSecret: SECRET };
    sim.control.webhooks.setTarget(webhook);
    await stripe.customers.create();
    sim.control.webhooks.setTarget({ url, secret: "whsec_new" });
    await stripe.customers.create();
    await sim.control.webhooks.idle();
    const [both, one] = endpoint.raw;
    assert(both !== undefined && one !== undefined);
    const check = ({ body, signature }: typeof both, secret: string) =>
      stripe.webhooks.constructEventAsync(body, signature, secret);
    assertEquals((await check(both, SECRET)).type, "customer.created");
    assertEquals((await check(both, "whsec_new")).type, "customer.created");
    assertEquals((await check(one, "whsec_new")).type, "customer.created");
    await assertRejects(
      () => check(one, SECRET),
      Stripe.errors.StripeSignatureVerificationError,
    );
  }));

Deno.test("deliveries run side by side up to the bound, each once", () =>
  withSimulator(async ({ sim, stripe }) => {
    const endpoint = new Endpoint();
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    try {
      let waiting = 0;
      endpoint.pause = async () => {
        waiting += 1;
        if (waiting === 8) open();
        await gate;
      };
      const { webhooks } = sim.control;
      webhooks.setTarget({ url: endpoint.url, secret: SECRET, concurrency: 8 });
      await makeCustomers({ stripe }, 400);
      await webhooks.idle();
      assertEquals([endpoint.got.length, endpoint.most], [400, 8]);
      assertEquals(new Set(endpoint.got.map(({ id }) => id)).size, 400);
      const { data } = await stripe.events.list({ delivery_success: false });
      assertEquals(data, []);
    } finally {
      await endpoint.stop();
    }
  }));

Deno.test("one delivery at a time keeps the order", () =>
  withEndpoint(async ({ sim, stripe, endpoint }) => {
    for (let at = 0; at < 20; at++) await stripe.customers.create();
    await sim.control.webhooks.idle();
    const { data } = await stripe.events.list({ limit: 100 });
    const inOrder = data.map(({ id }) => id).reverse();
    assertEquals(endpoint.got.map(({ id }) => id), inOrder);
    assertEquals(endpoint.most, 1);
  }));

Deno.test("stopping gives up every delivery under way, and a later start sends them again", async () => {
  const folder = await Deno.makeTempDir();
  const endpoint = new Endpoint();
  const never = Promise.withResolvers<void>();
  try {
    endpoint.pause = () => never.promise;
    const webhook = { url: endpoint.url, secret: SECRET, concurrency: 4 };
    await withSimulator(async (bench) => {
      await makeCustomers(bench, 6);
      while (endpoint.got.length < 4) await bench.stripe.customers.list();
      await bench.restart();
      endpoint.pause = () => Promise.resolve();
      bench.sim.control.webhooks.retryNow();
      while (endpoint.got.length < 8) await bench.stripe.customers.list();
      never.resolve();
      await bench.sim.control.webhooks.idle();
      const ids = new Set(endpoint.got.map(({ id }) => id));
      assertEquals(ids.size, 6);
    }, { booksPath: `${folder}/books.jsonl`, webhook });
  } finally {
    await endpoint.stop();
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("an event about a change tells what was before", () =>
  withSimulator(async ({ stripe }) => {
    const { id } = await stripe.customers.create({ name: "Acme", phone: "1" });
    await stripe.customers.update(id, { name: "Acme GmbH" });
    const { data } = await stripe.events.list({ type: "customer.updated" });
    const [event] = data;
    assert(event?.type === "customer.updated");
    assertEquals(event.data.previous_attributes, { name: "Acme" });
    assertEquals(event.data.object.name, "Acme GmbH");
  }));
