/**
 * The simulator tells of what happens as the processor does: each event has
 * every member of the payloads that are typed by the processor's package.
 */
import { assert, assertEquals } from "@std/assert";
import {
  handlerOf,
  WEBHOOK_HANDLERS,
} from "../../../../domain/webhooks/handlers.ts";
import { payloadsOf } from "../../../support/webhook_payloads/payloads.ts";
import { WHAT_HAPPENED } from "./what_happened.ts";

/** Free text of our own, and what an event says of before. */
const OPEN = ["metadata", "previous_attributes"];
/** The package says that these may be absent; the simulator leaves them out. */
const OPTIONAL = [
  "destination_details",
  "destination_payment",
  "doc_url",
  "price_details",
];

/** The members of one value that another lacks, by their paths. */
function missing(wanted: unknown, sent: unknown, path = ""): string[] {
  if (Array.isArray(wanted)) {
    const [first] = wanted;
    const [other] = Array.isArray(sent) ? sent : [];
    return first === undefined || other === undefined
      ? []
      : missing(first, other, `${path}[0]`);
  }
  if (!isObject(wanted) || !isObject(sent)) return [];
  return Object.entries(wanted).flatMap(([name, value]) => {
    if (OPTIONAL.includes(name)) return [];
    if (!Object.hasOwn(sent, name)) return [`${path}.${name}`];
    return OPEN.includes(name)
      ? []
      : missing(value, sent[name], `${path}.${name}`);
  });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

Deno.test("missing() finds a member that is not there, however deep", () => {
  const wanted = { id: "a", list: [{ one: 1, two: { three: 3 } }], extra: 1 };
  const sent = { id: "b", list: [{ one: null, two: {} }] };
  assertEquals(missing(wanted, sent), [".list[0].two.three", ".extra"]);
});

for (const [prefix, happens] of Object.entries(WHAT_HAPPENED)) {
  Deno.test(`the simulator's events ${prefix}* have every member of the processor's`, async () => {
    await using happened = await happens();
    const { simulator } = happened;
    const payloads = new Map(Object.entries(payloadsOf("obj_1")));
    const told = simulator.control.objects("event")
      .filter(({ type }) => handlerOf(WEBHOOK_HANDLERS, type) !== null);
    assert(told.some(({ type }) => type.startsWith(prefix)), prefix);
    for (const event of told) {
      const typed = JSON.parse(JSON.stringify(payloads.get(event.type)));
      const sent = JSON.parse(JSON.stringify(event));
      assertEquals(missing(typed, sent), [], event.type);
    }
  });
}
