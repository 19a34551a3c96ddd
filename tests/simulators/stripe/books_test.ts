import { assert, assertEquals, assertRejects } from "@std/assert";
import type Stripe from "stripe";
import { CapturedProcess } from "../../support/captured_process.ts";
import {
  type Bench,
  draftOver,
  isReplay,
  openOver,
  payer,
  refusal,
  sdk,
  withSimulator,
} from "./support.ts";

async function withBooks(
  run: (bench: Bench & { booksPath: string }) => Promise<void>,
): Promise<void> {
  const dir = await Deno.makeTempDir();
  const booksPath = `${dir}/books.ndjson`;
  try {
    await withSimulator(
      (bench) => run(Object.assign(bench, { booksPath })),
      { booksPath },
    );
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

async function append(path: string, text: string): Promise<void> {
  await Deno.writeTextFile(path, text, { append: true });
}

Deno.test("What was answered is there again after a restart", () =>
  withBooks(async (bench) => {
    const { customer, card } = await payer(bench.stripe);
    const open = await openOver(bench.stripe, customer, 500);
    const paid = await bench.stripe.invoices.pay(open.id, {
      payment_method: card,
    });
    const before = bench.sim.control.state();
    await bench.restart();

    assertEquals(bench.sim.control.state(), before);
    const invoice = await bench.stripe.invoices.retrieve(open.id);
    assertEquals([invoice.status, invoice.number], ["paid", paid.number]);
    const next = await openOver(bench.stripe, customer, 500);
    assertEquals(next.number, "SIM-0002");
  }));

Deno.test("Every answered change is in the file before its answer", () =>
  withBooks(async ({ booksPath, stripe }) => {
    for (let at = 0; at < 5; at++) {
      const { id } = await stripe.customers.create();
      const text = Deno.readTextFileSync(booksPath);
      assert(text.endsWith("\n") && text.includes(`"id":"${id}"`));
    }
  }));

Deno.test("A process killed with SIGKILL loses nothing it answered", async () => {
  const dir = await Deno.makeTempDir();
  const booksPath = `${dir}/books.ndjson`;
  const script = new URL("./serve.ts", import.meta.url).pathname;
  await using process = new CapturedProcess({
    args: ["run", "-A", "--no-check", script, booksPath],
  });
  try {
    const stripe = sdk(Number(await process.line()));
    const { answered, lost } = await createUntilKilled(stripe, process);
    await process.ended;

    assert(answered.length >= 50 && lost > 0, "it died under load");
    await withSimulator(({ sim }) => {
      const kept = new Set(sim.control.objects("customer").map(({ id }) => id));
      assertEquals(answered.filter((id) => !kept.has(id)), []);
      return Promise.resolve();
    }, { booksPath });
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
});

/** Creates customers side by side, kills the process after fifty answers. */
async function createUntilKilled(
  stripe: Stripe,
  process: CapturedProcess,
): Promise<{ answered: string[]; lost: number }> {
  const answered: string[] = [];
  let lost = 0;
  await Promise.all(Array.from({ length: 8 }, async () => {
    while (lost === 0) {
      const made = await stripe.customers.create().catch(() => null);
      if (made === null) lost += 1;
      else if (answered.push(made.id) === 50) process.kill("SIGKILL");
    }
  }));
  return { answered, lost };
}

Deno.test("A second start on the same port fails and leaves the books to the first", () =>
  withBooks(async ({ booksPath, sim, stripe }) => {
    const { id } = await stripe.customers.create();
    await assertRejects(() =>
      withSimulator(() => Promise.resolve(), { booksPath, port: sim.port })
    );
    await stripe.customers.update(id, { name: "Still written" });
    assert(Deno.readTextFileSync(booksPath).includes("Still written"));
  }));

Deno.test("A torn last line is left out, as it was never answered", () =>
  withBooks(async (bench) => {
    const { id } = await bench.stripe.customers.create({ name: "Whole" });
    await bench.sim.stop();
    const text = await Deno.readTextFile(bench.booksPath);
    const torn = text.trimEnd().split("\n").at(-1)?.slice(0, 60) ?? "";
    await append(bench.booksPath, torn);
    await bench.restart();

    const { data } = await bench.stripe.customers.list();
    assertEquals(data.map((customer) => customer.id), [id]);
    const other = await bench.stripe.customers.create({ name: "Later" });
    await bench.restart();
    const after = await bench.stripe.customers.list();
    assertEquals(after.data.map((customer) => customer.id), [other.id, id]);
  }));

Deno.test("A damaged line before the last stops the start and names itself", () =>
  withBooks(async (bench) => {
    await bench.stripe.customers.create();
    await bench.sim.stop();
    await append(bench.booksPath, '{"put":[[\n{"count":{}}\n');
    await assertRejects(() => bench.restart(), Error, "line 3");
    await Deno.remove(bench.booksPath);
    await bench.restart();
  }));

Deno.test("A key replays across a restart", () =>
  withBooks(async (bench) => {
    const { customer, card } = await payer(bench.stripe);
    const open = await openOver(bench.stripe, customer, 500);
    const pay = () =>
      bench.stripe.invoices.pay(open.id, { payment_method: card }, {
        idempotencyKey: "pay-1",
      });
    bench.sim.control.addFault({
      kind: "reset_after_effect",
      path: "/v1/invoices/*/pay",
    });
    await refusal(pay());
    await bench.restart();

    const paid = await pay();
    assertEquals([paid.status, isReplay(paid)], ["paid", true]);
    assertEquals(bench.sim.control.objects("charge").length, 1);
  }));

Deno.test("Ids stay unique across a restart with the same source of chance", () =>
  withBooks(async (bench) => {
    const ids = new Set<string>();
    for (let run = 0; run < 3; run++) {
      for (let at = 0; at < 3; at++) {
        ids.add((await bench.stripe.customers.create()).id);
      }
      await bench.restart();
    }
    assertEquals(ids.size, 9);
  }));

Deno.test("The start compacts the books to what still counts", () =>
  withBooks(async (bench) => {
    const { id } = await bench.stripe.customers.create();
    for (let at = 0; at < 50; at++) {
      await bench.stripe.customers.update(id, { name: `Name ${at}` });
    }
    bench.clock.advance(31 * 24 * 60 * 60 * 1_000);
    const before = (await Deno.stat(bench.booksPath)).size;
    await bench.restart();

    const after = (await Deno.stat(bench.booksPath)).size;
    assert(after * 20 < before, `${before} bytes became ${after}`);
    const customer = await bench.stripe.customers.retrieve(id);
    assertEquals(customer.deleted ? "" : customer.name, "Name 49");
  }));

Deno.test("What was deleted stays deleted after a restart", () =>
  withBooks(async (bench) => {
    const { customer } = await payer(bench.stripe);
    const draft = await draftOver(bench.stripe, customer, 500);
    await bench.stripe.invoices.del(draft.id);
    await bench.restart();
    const error = await refusal(bench.stripe.invoices.retrieve(draft.id));
    assertEquals(error.statusCode, 404);
    assertEquals(bench.sim.control.objects("invoiceitem"), []);
  }));

Deno.test("The PDF of an invoice is found at its new address after a restart", () =>
  withBooks(async (bench) => {
    const { customer } = await payer(bench.stripe);
    const open = await openOver(bench.stripe, customer, 500);
    await bench.restart();
    const invoice = await bench.stripe.invoices.retrieve(open.id);
    const url = invoice.invoice_pdf ?? "";
    assert(url.startsWith(bench.sim.url));
    const response = await fetch(url);
    assertEquals(response.status, 200);
    await response.body?.cancel();
  }));

Deno.test("Events undelivered at a crash are sent after the start", () =>
  withBooks(async (bench) => {
    const got: string[] = [];
    const server = Deno.serve({
      hostname: "127.0.0.1",
      port: 0,
      onListen: () => {},
    }, async (request) => {
      got.push((await request.json()).type);
      return new Response();
    });
    try {
      const url = `http://127.0.0.1:${server.addr.port}/`;
      bench.sim.control.webhooks.setTarget({ url, secret: "whsec_1" });
      bench.sim.control.webhooks.hold();
      await bench.stripe.customers.create();
      await bench.restart();
      bench.sim.control.webhooks.setTarget({ url, secret: "whsec_1" });
      await bench.sim.control.webhooks.idle();
      assertEquals(got, ["customer.created"]);
    } finally {
      await server.shutdown();
    }
  }));

Deno.test("A change that can not be written down is answered 500 and undone", () =>
  withBooks(async ({ sim, stripe }) => {
    await stripe.customers.create({ name: "Written" });
    const original = Deno.FsFile.prototype.writeSync;
    Deno.FsFile.prototype.writeSync = () => {
      throw new Error("No space left on device");
    };
    try {
      const error = await refusal(stripe.customers.create({ name: "Lost" }));
      assertEquals(error.statusCode, 500);
    } finally {
      Deno.FsFile.prototype.writeSync = original;
    }
    assertEquals(sim.control.objects("customer").map(({ name }) => name), [
      "Written",
    ]);
    assertEquals(sim.control.objects("event").length, 1);
  }));
