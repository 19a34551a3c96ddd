/** What the protocol names and the checkout does not take, told everywhere. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import {
  type NarrowedBody,
  UNSUPPORTED_MEMBERS,
} from "../../../../domain/checkout/unsupported_members.ts";
import { renderPublic } from "../../../../routes/errors/public_surface.ts";
import { routeTable } from "../../../../routes/route_table.ts";
import { acpSchemas } from "../../../../routes/site/checkout/acp_documents.ts";
import { acpMembers, newAjv } from "../../../support/acp_schema.ts";
import { askHost, bindings } from "../../../support/bindings.ts";
import { cartOf, newSession } from "../../../support/checkout_calls.ts";
import { DAY, openCheckoutWorld } from "../../../support/checkout_world.ts";

const ITEM = { id: `metrics:${DAY}` };

/** The protocol's shape of each body, and what of it is taken. */
const SHAPES: Readonly<Record<NarrowedBody, readonly [string, ...string[]]>> = {
  create: [
    "CheckoutSessionCreateRequest",
    "line_items",
    "currency",
    "capabilities",
  ],
  update: ["CheckoutSessionUpdateRequest", "line_items"],
  item: ["Item", "id"],
  cancel: ["CancelSessionRequest"],
};

const BODIES = Object.keys(SHAPES) as NarrowedBody[];

Deno.test("the members that are not taken are those of the protocol's schema but what is taken", () => {
  for (const body of BODIES) {
    const [shape, ...taken] = SHAPES[body];
    assertEquals(
      [...UNSUPPORTED_MEMBERS[body], ...taken].toSorted(),
      acpMembers(shape).toSorted(),
      body,
    );
  }
});

Deno.test("a request with a member that is not taken is refused by the member's name, and never by another's", async () => {
  await using world = await openCheckoutWorld();
  const ada = await world.buyer("ada");
  const { id } = await newSession(world.ask, ada);
  const refusal = async (path: string, body: unknown) => {
    const answer = await world.ask(`/checkout_sessions${path}`, {
      as: ada,
      method: "POST",
      key: crypto.randomUUID(),
      body,
    });
    assertEquals(answer.status, 400);
    const { code, message, param } = await answer.json();
    assertEquals(code, "invalid");
    return [message, param];
  };
  const takes = (name: string, at = `$.${name}`) => [
    `Cannot read the body: this shop takes no \`${name}\``,
    at,
  ];
  for (const name of UNSUPPORTED_MEMBERS.create) {
    const body = cartOf(DAY, { [name]: {} });
    assertEquals(await refusal("", body), takes(name));
  }
  for (const name of UNSUPPORTED_MEMBERS.update) {
    const body = { line_items: [ITEM], [name]: {} };
    assertEquals(await refusal(`/${id}`, body), takes(name));
  }
  for (const name of UNSUPPORTED_MEMBERS.item) {
    const body = { line_items: [{ ...ITEM, [name]: 1 }] };
    const at = `$.line_items[0].${name}`;
    assertEquals(await refusal(`/${id}`, body), takes(name, at));
  }
  for (const name of UNSUPPORTED_MEMBERS.cancel) {
    assertEquals(await refusal(`/${id}/cancel`, { [name]: {} }), takes(name));
  }
  const both = cartOf(DAY, { buyer: {}, spt_secret: 1, locale: "en" });
  assertEquals(await refusal("", both), [
    "Cannot read the body: this shop takes no `buyer`, no `locale`",
    "$.buyer",
  ]);
  const unknown = await refusal("", cartOf(DAY, { spt_secret: 1 }));
  assert(!JSON.stringify(unknown).includes("spt_secret"));
});

Deno.test("the published schema of requests takes what the checkout takes, and refuses each member that it does not", async () => {
  await using world = await openCheckoutWorld();
  const { baseUrl } = world.services.settings;
  const host = routeTable(world.services, [{
    prefix: "",
    routes: acpSchemas({ baseUrl }),
    answers: { refused: renderPublic },
  }]);
  const url = `${baseUrl}/schemas/acp/requests.json`;
  const schema = await (await askHost(host, url, {}, bindings())).json();
  const ajv = newAjv();
  ajv.addSchema(schema);
  const of = (shape: string) => {
    const validate = ajv.getSchema(`${schema.$id}#/$defs/${shape}`);
    assert(validate);
    return validate;
  };
  const create = of("CheckoutSessionCreateRequest");
  assert(create(cartOf(DAY)));
  for (const name of UNSUPPORTED_MEMBERS.create) {
    assert(!create(cartOf(DAY, { [name]: {} })), name);
  }
  assert(of("CheckoutSessionUpdateRequest")({ line_items: [ITEM] }));
  assert(!of("CancelSessionRequest")({ intent_trace: {} }));
});

Deno.test("/developers.md names every member that is not taken", async () => {
  const file = new URL("../../../../docs/developers.md", import.meta.url);
  const [, section = ""] = (await Deno.readTextFile(file)).split(
    "### What the checkout does not take",
  );
  const [table = ""] = section.split("\n### ");
  for (const body of BODIES) {
    const row = UNSUPPORTED_MEMBERS[body].map((name) => `\`${name}\``).join(
      ", ",
    );
    assertStringIncludes(table, `| ${row} |`);
  }
});
