import { assertEquals, assertMatch } from "@std/assert";
import { payer, refusal, withSimulator } from "./support.ts";

Deno.test("POST /v1/customers keeps name, e-mail, address, tax and metadata", () =>
  withSimulator(async ({ stripe }) => {
    const { id } = await stripe.customers.create({
      name: "Łódź Media Sp. z o.o.",
      email: "ads+1@example.com",
      address: { line1: "ul. Piotrkowska 1", city: "Łódź", country: "PL" },
      tax_exempt: "reverse",
      metadata: { account: "acc_1" },
    });

    const customer = await stripe.customers.retrieve(id);
    assertEquals(customer.deleted, undefined);
    if (customer.deleted) return;
    assertEquals(customer.name, "Łódź Media Sp. z o.o.");
    assertEquals(customer.email, "ads+1@example.com");
    assertEquals(customer.address?.city, "Łódź");
    assertEquals(customer.address?.line2, null);
    assertEquals(customer.tax_exempt, "reverse");
    assertEquals(customer.metadata, { account: "acc_1" });
    assertMatch(id, /^cus_\w{24}$/);
  }));

Deno.test("POST /v1/customers makes a tax id of each tax_id_data", () =>
  withSimulator(async ({ stripe }) => {
    const { id } = await stripe.customers.create({
      tax_id_data: [{ type: "eu_vat", value: "ATU12345678" }],
    });

    const { data } = await stripe.customers.listTaxIds(id);
    assertEquals(data.map(({ type, value }) => [type, value]), [
      ["eu_vat", "ATU12345678"],
    ]);
    assertEquals(data[0]?.country, "AT");
  }));

Deno.test("POST /v1/customers refuses a tax id of the wrong form and makes no customer", () =>
  withSimulator(async ({ stripe }) => {
    const error = await refusal(stripe.customers.create({
      tax_id_data: [{ type: "eu_vat", value: "1" }],
    }));

    assertEquals(error.code, "tax_id_invalid");
    assertEquals((await stripe.customers.list()).data, []);
  }));

Deno.test("A tax id can be added, read and removed later", () =>
  withSimulator(async ({ stripe }) => {
    const { id } = await stripe.customers.create();
    const taxId = await stripe.customers.createTaxId(id, {
      type: "eu_vat",
      value: "DE123456789",
    });
    const { data: [read] } = await stripe.customers.listTaxIds(id);
    assertEquals(read?.value, "DE123456789");

    await stripe.customers.deleteTaxId(id, taxId.id);
    assertEquals((await stripe.customers.listTaxIds(id)).data, []);
  }));

Deno.test("A tax id is 404 under another customer", () =>
  withSimulator(async ({ stripe }) => {
    const owner = await stripe.customers.create({
      tax_id_data: [{ type: "eu_vat", value: "DE123456789" }],
    });
    const other = await stripe.customers.create();
    const [taxId] = (await stripe.customers.listTaxIds(owner.id)).data;

    const error = await refusal(
      stripe.customers.deleteTaxId(other.id, taxId?.id ?? ""),
    );
    assertEquals(error.statusCode, 404);
  }));

Deno.test("POST /v1/customers/{id} changes only what was sent", () =>
  withSimulator(async ({ stripe }) => {
    const { id } = await stripe.customers.create({
      name: "Acme",
      email: "a@example.com",
      metadata: { a: "1", b: "2" },
    });

    const customer = await stripe.customers.update(id, {
      email: "",
      metadata: { a: "", c: "3" },
    });
    assertEquals(customer.name, "Acme");
    assertEquals(customer.email, null);
    assertEquals(customer.metadata, { b: "2", c: "3" });
  }));

Deno.test("POST /v1/customers/{id} takes an attached card as the default", () =>
  withSimulator(async ({ stripe }) => {
    const { customer, card } = await payer(stripe);
    const updated = await stripe.customers.update(customer, {
      invoice_settings: { default_payment_method: card },
    });
    assertEquals(updated.invoice_settings.default_payment_method, card);
  }));

Deno.test("POST /v1/customers/{id} refuses another customer's card as the default", () =>
  withSimulator(async ({ stripe }) => {
    const { card } = await payer(stripe);
    const other = await payer(stripe);

    const error = await refusal(stripe.customers.update(other.customer, {
      invoice_settings: { default_payment_method: card },
    }));
    assertEquals([error.statusCode, error.code], [400, "resource_missing"]);
    assertEquals(error.param, "invoice_settings[default_payment_method]");
  }));

Deno.test("GET /v1/customers filters by e-mail", () =>
  withSimulator(async ({ stripe }) => {
    await stripe.customers.create({ email: "a@example.com" });
    const b = await stripe.customers.create({ email: "b@example.com" });

    const { data } = await stripe.customers.list({ email: "b@example.com" });
    assertEquals(data.map(({ id }) => id), [b.id]);
  }));

Deno.test("Metadata of more than 50 keys or 500 characters is refused", () =>
  withSimulator(async ({ stripe }) => {
    const many = Object.fromEntries(
      Array.from({ length: 51 }, (_, at) => [`key${at}`, "x"]),
    );
    const tooMany = await refusal(stripe.customers.create({ metadata: many }));
    assertEquals([tooMany.statusCode, tooMany.param], [400, "metadata"]);

    const tooLong = await refusal(
      stripe.customers.create({ metadata: { a: "x".repeat(501) } }),
    );
    assertEquals([tooLong.statusCode, tooLong.param], [400, "metadata[a]"]);
  }));

Deno.test("DELETE /v1/customers/:id takes the customer and its cards, and leaves what was paid", () =>
  withSimulator(async ({ stripe }) => {
    const { id } = await stripe.customers.create({});
    const card = await stripe.paymentMethods.attach("pm_card_visa", {
      customer: id,
    });
    const paid = await stripe.paymentIntents.create({
      amount: 100,
      currency: "eur",
      customer: id,
      payment_method: card.id,
      confirm: true,
      off_session: true,
    });
    const deleted = await stripe.customers.del(id);
    assertEquals(deleted, { ...deleted, id, deleted: true });
    const again = await refusal(stripe.customers.del(id));
    assertEquals([again.statusCode, again.code], [404, "resource_missing"]);
    const { customer } = await stripe.paymentMethods.retrieve(card.id);
    assertEquals(customer, null);
    const { status } = await stripe.paymentIntents.retrieve(paid.id);
    assertEquals(status, "succeeded");
  }));

Deno.test("GET /v1/customers/search finds by one member of the metadata, page by page, and refuses any other query", () =>
  withSimulator(async ({ stripe }) => {
    const ids: string[] = [];
    for (const account_id of ["acc_1", "acc_2", "acc_1", "acc_1"]) {
      const { id } = await stripe.customers.create({
        metadata: { account_id },
      });
      if (account_id === "acc_1") ids.unshift(id);
    }
    const query = 'metadata["account_id"]:"acc_1"';
    const first = await stripe.customers.search({ query, limit: 2 });
    assertEquals(first.data.map(({ id }) => id), ids.slice(0, 2));
    assertEquals([first.object, first.has_more], ["search_result", true]);
    const page = first.next_page ?? "";
    await stripe.customers.del(ids[1] ?? "");
    const second = await stripe.customers.search({ query, limit: 2, page });
    assertEquals(second.data.map(({ id }) => id), ids.slice(2));
    assertEquals([second.has_more, second.next_page], [false, null]);
    for (const wrong of ["email:'a@example.com'", `${query} AND name:'a'`]) {
      const error = await refusal(stripe.customers.search({ query: wrong }));
      assertEquals(error.param, "query");
    }
  }));
