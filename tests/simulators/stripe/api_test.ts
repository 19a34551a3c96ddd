import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import Stripe from "stripe";
import { startSimulator } from "../../../simulators/stripe/mod.ts";
import { raw, refusal, sdk, seeded, withSimulator } from "./support.ts";

Deno.test("Another key, or none, is a 401", () =>
  withSimulator(async ({ sim }) => {
    const error = await refusal(
      sdk(sim.port, "sk_test_other").customers.list(),
    );
    assertEquals(
      error instanceof Stripe.errors.StripeAuthenticationError,
      true,
    );
    const response = await fetch(`${sim.url}/v1/customers`);
    assertEquals(response.status, 401);
    const { error: body } = await response.json();
    assertEquals(body.type, "invalid_request_error");
    assertMatch(body.message, /You did not provide an API key/);
  }));

Deno.test("A 401 does not repeat the key it was given", () =>
  withSimulator(async ({ sim }) => {
    const key = "sk_test_verysecretindeed";
    const error = await refusal(sdk(sim.port, key).customers.list());
    assertEquals(error.message.includes("verysecret"), false);
  }));

Deno.test("An answer carries request-id and the version that was asked for", () =>
  withSimulator(async ({ sim, stripe }) => {
    const { lastResponse } = await stripe.customers.list();
    assertMatch(lastResponse.requestId, /^req_\w{16}$/);
    const response = await raw(sim, "GET", "/v1/customers", undefined, {
      "stripe-version": "2026-04-22.preview",
    });
    await response.body?.cancel();
    assertEquals(response.headers.get("stripe-version"), "2026-04-22.preview");
    const plain = await raw(sim, "GET", "/v1/customers");
    await plain.body?.cancel();
    assertEquals(plain.headers.get("stripe-version"), "2026-10-28.endive");
  }));

Deno.test("An unknown path or method is a 404 of the API's shape", () =>
  withSimulator(async ({ sim }) => {
    for (
      const [method, path] of [
        ["GET", "/v1/unknown"],
        ["GET", "/"],
        ["DELETE", "/v1/charges/ch_1"],
        ["GET", "/v1/customers/"],
        ["PUT", "/v1/customers"],
      ] as const
    ) {
      const response = await raw(sim, method, path);
      assertEquals(response.status, 404, path);
      const { error } = await response.json();
      assertEquals(error.type, "invalid_request_error");
      assertMatch(error.message, /^Unrecognized request URL/);
    }
  }));

Deno.test("A refused parameter is named with its code", () =>
  withSimulator(async ({ sim }) => {
    const cases: [
      path: string,
      body: string,
      code: string | undefined,
      param: string,
    ][] = [
      ["customers", "nme=x", "parameter_unknown", "nme"],
      [
        "customers",
        "address[street]=x",
        "parameter_unknown",
        "address[street]",
      ],
      ["customers", "__proto__=x", "parameter_unknown", "__proto__"],
      ["customers", "constructor=x", "parameter_unknown", "constructor"],
      ["payment_intents", "currency=eur", "parameter_missing", "amount"],
      [
        "payment_intents",
        "amount=1e3&currency=eur",
        "parameter_invalid_integer",
        "amount",
      ],
      [
        "payment_intents",
        "amount=9007199254740993&currency=eur",
        "parameter_invalid_integer",
        "amount",
      ],
      [
        "payment_intents",
        "amount=&currency=eur",
        "parameter_invalid_empty",
        "amount",
      ],
      ["payment_intents", "amount=500&currency=usd", undefined, "currency"],
      ["payment_intents", "amount[a]=1&currency=eur", undefined, "amount"],
      [
        "payment_intents",
        "amount=500&currency=eur&confirm=yes",
        undefined,
        "confirm",
      ],
      ["customers", "metadata=x", undefined, "metadata"],
      ["customers", "address=x", undefined, "address"],
      ["customers", "tax_exempt=maybe", undefined, "tax_exempt"],
      ["customers", "expand=data", undefined, "expand"],
      ["invoices", "customer=cus_1", "resource_missing", "customer"],
    ];
    for (const [path, body, code, param] of cases) {
      const response = await raw(sim, "POST", `/v1/${path}`, body);
      const { error } = await response.json();
      assertEquals([response.status, error.code, error.param], [
        400,
        code,
        param,
      ], body);
    }
    assertEquals(sim.control.objects("customer"), []);
  }));

Deno.test("A form that breaks a bound is a 400", () =>
  withSimulator(async ({ sim }) => {
    const forms = [
      Array.from({ length: 1_001 }, (_, at) => `metadata[k${at}]=x`).join("&"),
      "a[b][c][d][e][f][g]=1",
      `${"n".repeat(301)}=1`,
      "a[b=1",
      "a]b[=1",
      "[a]=1",
      "a[b]c=1",
      "name=%E0%A4%A",
      "address=x&address[city]=y",
      "address[city]=y&address=x",
    ];
    for (const form of forms) {
      const response = await raw(sim, "POST", "/v1/customers", form);
      await response.body?.cancel();
      assertEquals(response.status, 400, form.slice(0, 40));
    }
  }));

Deno.test("A body of 1 MiB is read, a larger one is a 413", () =>
  withSimulator(async ({ sim }) => {
    const name = "name=";
    const limit = 1024 * 1024;
    const fits = name + "x".repeat(limit - name.length);
    const read = await raw(sim, "POST", "/v1/customers", fits);
    assertEquals((await read.json()).error.param, "name");
    const over = await raw(sim, "POST", "/v1/customers", `${fits}x`);
    assertEquals(over.status, 413);
    assertEquals((await over.json()).error.type, "invalid_request_error");
  }));

Deno.test("An overlong address is a 414", () =>
  withSimulator(async ({ sim }) => {
    const path = `/v1/customers?email=${"x".repeat(8_192)}`;
    const response = await raw(sim, "GET", path);
    await response.body?.cancel();
    assertEquals(response.status, 414);
  }));

Deno.test("expand shows objects whole, also in lists and lists of lists", () =>
  withSimulator(async ({ stripe }) => {
    const { id } = await stripe.customers.create({
      name: "Acme",
      tax_id_data: [{ type: "eu_vat", value: "DE123456789" }],
    });
    await stripe.paymentIntents.create({
      amount: 500,
      currency: "eur",
      customer: id,
    });
    const { data: [intent] } = await stripe.paymentIntents.list({
      expand: ["data.customer.tax_ids"],
    });
    const customer = intent?.customer as Stripe.Customer;
    assertEquals(customer.name, "Acme");
    assertEquals(customer.tax_ids?.data[0]?.value, "DE123456789");
  }));

Deno.test("expand of what can not be expanded is a 400 without effect", () =>
  withSimulator(async ({ sim, stripe }) => {
    for (const path of ["nothing", "name", "livemode.deep", "a.b.c.d.e"]) {
      const error = await refusal(
        stripe.customers.create({ name: "Acme", expand: [path] }),
      );
      assertEquals([error.statusCode, error.param], [400, "expand"], path);
    }
    assertEquals(sim.control.objects("customer"), []);
    assertEquals(sim.control.objects("event"), []);
  }));

Deno.test("A list pages forwards and backwards without loss or repetition", () =>
  withSimulator(async ({ stripe }) => {
    const made: string[] = [];
    for (let at = 0; at < 25; at++) {
      made.unshift((await stripe.customers.create()).id);
    }
    const seen: string[] = [];
    for await (const { id } of stripe.customers.list({ limit: 7 })) {
      seen.push(id);
    }
    assertEquals(seen, made);

    const page = await stripe.customers.list({
      limit: 3,
      ending_before: made[10] ?? "",
    });
    assertEquals(page.data.map(({ id }) => id), made.slice(7, 10));
    assertEquals(page.has_more, true);
    const all = await stripe.customers.list({ limit: 100 });
    assertEquals([all.data.length, all.has_more], [25, false]);
  }));

Deno.test("A list shows ten unless told, and refuses more than a hundred", () =>
  withSimulator(async ({ stripe }) => {
    for (let at = 0; at < 11; at++) await stripe.customers.create();
    const page = await stripe.customers.list();
    assertEquals([page.data.length, page.has_more], [10, true]);
    for (const limit of [0, 101]) {
      const error = await refusal(stripe.customers.list({ limit }));
      assertEquals([error.statusCode, error.param], [400, "limit"]);
    }
  }));

Deno.test("A list refuses two cursors and a cursor that names nothing", () =>
  withSimulator(async ({ stripe }) => {
    const { id } = await stripe.customers.create();
    const both = await refusal(
      stripe.customers.list({ starting_after: id, ending_before: id }),
    );
    assertEquals(both.statusCode, 400);
    const none = await refusal(
      stripe.customers.list({ starting_after: "cus_unknown" }),
    );
    assertEquals([none.code, none.param], [
      "resource_missing",
      "starting_after",
    ]);
  }));

Deno.test("The same seed gives the same ids, another seed others", async () => {
  const made = async (seed: number) => {
    let id = "";
    await withSimulator(async ({ stripe }) => {
      id = (await stripe.customers.create()).id;
    }, { random: seeded(seed) });
    return id;
  };
  assertEquals(await made(5), await made(5));
  assertEquals(await made(5) === await made(6), false);
});

Deno.test("startSimulator() refuses a key that is not a test key", async () => {
  await assertRejects(
    () => withSimulator(async () => {}, { secretKey: "sk_live_1" }),
    RangeError,
    "test key",
  );
});

Deno.test("startSimulator() rejects when the port is taken", () =>
  withSimulator(async ({ sim }) => {
    await assertRejects(() =>
      startSimulator({
        hostname: "127.0.0.1",
        port: sim.port,
        booksPath: null,
        secretKey: "sk_test_1",
        webhook: null,
        now: () => 0,
        random: () => 0,
      })
    );
  }));
