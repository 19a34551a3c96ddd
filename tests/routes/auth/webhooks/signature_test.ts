import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { WEBHOOK_BODY_MAX_BYTES } from "../../../../routes/auth/webhooks/webhook_surface.ts";
import { eventPayload, signatureOf } from "../../../support/stripe_event.ts";
import {
  type Delivery,
  openWebhookWorld,
  SECRETS,
  type WebhookWorld,
} from "./webhook_world.ts";

const BODY = JSON.stringify(eventPayload("invoice.paid"));

async function assertRefused(
  world: WebhookWorld,
  body: string,
  delivery: Delivery,
  wanted: string,
): Promise<void> {
  const answer = await world.deliver(body, delivery);
  assertEquals(answer.status, 400);
  const { baseUrl } = world.work.services.settings;
  assertEquals(await answer.json(), {
    type: `${baseUrl}/problems/invalid-input`,
    title: "Invalid input",
    status: 400,
    detail: `Cannot take the notification: ${wanted}`,
    docs: `${baseUrl}/developers#errors`,
  });
  assertEquals(world.kv.commits, []);
  assertEquals(world.log.events, ["webhook.refused"]);
}

const MISSING =
  "the header Stripe-Signature must hold one timestamp and a signature";
const WRONG =
  "the signature must be that of these very bytes under the endpoint's secret";
const OLD = "it must have been signed no longer than 300 seconds ago";
const NEW = "it must not have been signed at a moment that is still to come";
const UNREADABLE = "the body must be a snapshot event in JSON";

/** Signs the body now and changes the header. */
type Header = (signature: string) => string | null;

const HEADERS: [what: string, change: Header, wanted: string][] = [
  ["no signature", () => null, MISSING],
  ["an empty signature", () => "", MISSING],
  ["what is no signature", () => "Bearer token", MISSING],
  ["no timestamp", (text) => text.replace(/t=\d+,/, ""), MISSING],
  [
    "no number for a timestamp",
    (text) => text.replace(/t=\d+/, "t=x"),
    MISSING,
  ],
  ["a timestamp below zero", (text) => text.replace("t=", "t=-"), MISSING],
  ["two timestamps", (text) => `t=1,${text}`, MISSING],
  [
    "a timestamp without a signature",
    (text) => text.split(",")[0] ?? "",
    WRONG,
  ],
  ["a signature of scheme v0 alone", (text) => text.replace("v1", "v0"), WRONG],
  ["a signature cut short", (text) => text.slice(0, -1), WRONG],
  ["another timestamp", (text) => text.replace(/t=\d+/, later), WRONG],
];

function later(timestamp: string): string {
  return `t=${Number(timestamp.slice(2)) + 1}`;
}

for (const [what, change, wanted] of HEADERS) {
  Deno.test(`POST /webhooks/stripe refuses ${what}`, async () => {
    await using world = await openWebhookWorld();
    const now = world.clock.now();
    const signed = await signatureOf(BODY, SECRETS[0] ?? "", now);
    await assertRefused(world, BODY, { signature: change(signed) }, wanted);
  });
}

Deno.test("POST /webhooks/stripe refuses a signature by another's secret", async () => {
  await using world = await openWebhookWorld();
  const secret = "whsec_of_another_endpoint";
  await assertRefused(world, BODY, { secret }, WRONG);
});

const ALTERED: [what: string, signed: string, sent: BodyInit][] = [
  ["one letter changed", BODY, BODY.replace("paid", "pald")],
  ["a byte added", BODY, `${BODY}\n`],
  ["other white space", BODY, JSON.stringify(JSON.parse(BODY), null, 1)],
  ["a byte order mark before it", BODY, `\ufeff${BODY}`],
  [
    "a byte that is no UTF-8 in place of its replacement",
    BODY.replace("evt_1", "evt_\ufffd"),
    bytesWithFf(BODY.replace("evt_1", "evt_\ufffd")),
  ],
  ["nothing sent of it", BODY, ""],
];

/** The text with one byte 0xff for each U+FFFD, which would be read the same. */
function bytesWithFf(text: string): Uint8Array<ArrayBuffer> {
  const [before = "", after = ""] = text.split("\ufffd");
  const encoder = new TextEncoder();
  return Uint8Array.from([
    ...encoder.encode(before),
    0xff,
    ...encoder.encode(after),
  ]);
}

for (const [what, signed, sent] of ALTERED) {
  Deno.test(`POST /webhooks/stripe refuses a body with ${what}`, async () => {
    await using world = await openWebhookWorld();
    await assertRefused(world, signed, { sent }, WRONG);
  });
}

Deno.test("POST /webhooks/stripe takes what was signed up to 300 seconds ago or ahead, and nothing older or newer", async () => {
  for (const signedS of [-300, 300]) {
    await using world = await openWebhookWorld();
    assertEquals((await world.deliver(BODY, { signedS })).status, 200);
  }
  for (const [signedS, wanted] of [[-301, OLD], [301, NEW]] as const) {
    await using world = await openWebhookWorld();
    await assertRefused(world, BODY, { signedS }, wanted);
  }
});

Deno.test("POST /webhooks/stripe takes either of two secrets, and a header that both have signed", async () => {
  for (const secret of SECRETS) {
    await using world = await openWebhookWorld();
    assertEquals((await world.deliver(BODY, { secret })).status, 200);
  }
  await using world = await openWebhookWorld();
  const now = world.clock.now();
  const old = await signatureOf(BODY, SECRETS[1] ?? "", now);
  const signature = `${await signatureOf(BODY, "whsec_third", now)},${
    old.split(",")[1]
  },v0=00`;
  assertEquals((await world.deliver(BODY, { signature })).status, 200);
});

const NO_EVENTS: [what: string, body: string][] = [
  ["what is no JSON", "event=invoice.paid"],
  ["JSON that is cut off", BODY.slice(0, -1)],
  ["null", "null"],
  ["a list", `[${BODY}]`],
  ["text", '"event"'],
  ["an empty object", "{}"],
  ["another object", '{"object":"invoice","id":"in_1"}'],
  ["a thin event", '{"object":"v2.core.event","id":"evt_1"}'],
  ["an event without an id", without("id")],
  ["an event without a name", without("type")],
  ["an event without a moment", without("created")],
  ["an event without a mode", without("livemode")],
  ["an id too long for a key", BODY.replace("evt_1", "e".repeat(256))],
  ["an id with a blank", BODY.replace("evt_1", "evt 1")],
  ["an id that is no text", BODY.replace('"evt_1"', "1")],
];

function without(member: string): string {
  return JSON.stringify({ ...JSON.parse(BODY), [member]: undefined });
}

for (const [what, body] of NO_EVENTS) {
  Deno.test(`POST /webhooks/stripe refuses ${what}, though it is signed`, async () => {
    await using world = await openWebhookWorld();
    await assertRefused(world, body, {}, UNREADABLE);
  });
}

Deno.test("POST /webhooks/stripe takes a body of 256 KiB and answers 413 to a longer one, announced or not", async () => {
  await using world = await openWebhookWorld();
  const full = BODY + " ".repeat(WEBHOOK_BODY_MAX_BYTES - BODY.length);
  assertEquals((await world.deliver(full)).status, 200);
  const long = `${full} `;
  const stream = new Blob([long]).stream();
  for (const sent of [long, stream]) {
    const answer = await world.deliver(long, { sent });
    assertEquals(answer.status, 413);
    const { type, status, detail } = await answer.json();
    assert(type.endsWith("/problems/content-too-large"));
    assertEquals(status, 413);
    assert(detail.includes("262144 bytes"), detail);
  }
});

Deno.test("POST /webhooks/stripe refuses a body that does not arrive whole", async () => {
  await using world = await openWebhookWorld();
  const sent = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(BODY));
      controller.error(new Error("hung up"));
    },
  });
  assertEquals((await world.deliver(BODY, { sent })).status, 400);
});

Deno.test("POST /webhooks/stripe takes nothing that is not signed, whatever is sent", async () => {
  await using world = await openWebhookWorld();
  const signature = fc.oneof(
    fc.string({ unit: "binary-ascii" }).map((text) =>
      text.replaceAll(/[^\x20-\x7e]/g, "")
    ),
    fc.tuple(fc.nat(), fc.stringMatching(/^[0-9a-f]{64}$/))
      .map(([t, v1]) => `t=${t},v1=${v1}`),
    fc.stringMatching(/^[0-9a-f]{64}$/)
      .map((v1) => `t=${Math.floor(world.clock.now() / 1_000)},v1=${v1}`),
  );
  await fc.assert(fc.asyncProperty(
    fc.oneof(fc.uint8Array(), fc.json()),
    signature,
    async (sent, header) => {
      const answer = await world.deliver(BODY, {
        signature: header,
        sent: typeof sent === "string" ? sent : Uint8Array.from(sent),
      });
      assertEquals(answer.status, 400);
    },
  ));
  assertEquals(world.kv.commits, []);
});
