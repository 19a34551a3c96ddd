import { assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  fromBase64url,
  toBase64url,
} from "../../../../routes/http/base64url.ts";
import {
  CREDENTIAL_MAX,
  readCredential,
} from "../../../../routes/site/payment_scheme/credential.ts";
import { encode } from "../../../support/paid_world.ts";

const CHALLENGE = {
  id: "an id",
  realm: "spotlight.example",
  method: "stripe",
  intent: "charge",
  request: "e30",
  expires: "2026-11-20T00:05:00.000Z",
};
const GOOD = { challenge: CHALLENGE, payload: { spt: "spt_1" } };
const TEXT = encode(GOOD);

function kindOf(header: string | null): string {
  return readCredential(header).kind;
}

Deno.test("readCredential() sees none without the scheme", () => {
  for (
    const header of [null, "", "Bearer abc", "Paymentx abc", `Basic ${TEXT}`]
  ) {
    assertEquals(kindOf(header), "none", header ?? "no header");
  }
});

Deno.test("readCredential() takes the scheme in any case and beside others", () => {
  const headers = [
    `Payment ${TEXT}`,
    `payment ${TEXT}`,
    `PAYMENT  ${TEXT}`,
    `Bearer abc, Payment ${TEXT}`,
    `Payment ${TEXT}, Bearer abc`,
  ];
  for (const header of headers) {
    assertEquals(readCredential(header), {
      kind: "credential",
      credential: GOOD,
    }, header);
  }
});

Deno.test("readCredential() takes padding and the standard alphabet", () => {
  const payload = { spt: "spt_1", note: "¿?>~ÿ" };
  const text = encode({ challenge: CHALLENGE, payload });
  const standard = text.replaceAll("-", "+").replaceAll("_", "/");
  const padded = standard.padEnd(Math.ceil(standard.length / 4) * 4, "=");
  for (const each of [text, standard, padded]) {
    const reading = readCredential(`Payment ${each}`);
    assertEquals(reading.kind, "credential");
  }
});

Deno.test("readCredential() finds everything else malformed", () => {
  const { id: _id, ...noId } = CHALLENGE;
  const texts = {
    "no credential": "",
    "no base64": "!!!",
    "a length that can't be": "abcde",
    "two words": `${TEXT} ${TEXT}`,
    "no JSON": toBase64url("{not json"),
    "no UTF-8": "_w",
    "an array": encode([GOOD]),
    "a text": encode("x"),
    "null": encode(null),
    "no challenge": encode({ payload: GOOD.payload }),
    "no payload": encode({ challenge: CHALLENGE }),
    "an array as payload": encode({ challenge: CHALLENGE, payload: [] }),
    "a challenge without id": encode({ ...GOOD, challenge: noId }),
    "a challenge with an empty id": withChallenge({ id: "" }),
    "a number as id": withChallenge({ id: 1 }),
    "a request that was decoded": withChallenge({ request: { amount: "1" } }),
    "a number as expires": withChallenge({ expires: 1 }),
  };
  for (const [what, text] of Object.entries(texts)) {
    assertEquals(kindOf(`Payment ${text}`), "malformed", what);
  }
  assertEquals(kindOf("Payment"), "malformed");
  assertEquals(kindOf(`Payment ${TEXT}, Payment ${TEXT}`), "malformed");
});

Deno.test("readCredential() takes no credential that names a member twice", () => {
  const twice = JSON.stringify(GOOD).replace(
    '"payload":{',
    '"payload":{"spt":"spt_2",',
  );
  assertEquals(kindOf(`Payment ${toBase64url(twice)}`), "malformed");
});

Deno.test("readCredential() takes 4 KB and more, up to its limit", () => {
  const longOf = (characters: number) => {
    const source = "x".repeat(Math.floor(characters * 3 / 4) - 240);
    return encode({ ...GOOD, source });
  };
  for (const length of [4_096, CREDENTIAL_MAX - 20]) {
    assertEquals(kindOf(`Payment ${longOf(length)}`), "credential");
  }
  const tooLong = longOf(CREDENTIAL_MAX + 400);
  assertEquals(kindOf(`Payment ${tooLong}`), "malformed");
});

Deno.test("readCredential() answers whatever it is given", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary-ascii", maxLength: 200 }), (text) => {
      kindOf(`Payment ${text}`);
      kindOf(text);
    }),
  );
});

Deno.test("fromBase64url() reads what toBase64url() writes", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme", minLength: 1 }),
      (text) => {
        const written = toBase64url(text);
        assertEquals(fromBase64url(written), text);
        assertEquals(/^[\w-]+$/.test(written), true);
      },
    ),
  );
});

function withChallenge(changes: Record<string, unknown>): string {
  return encode({ ...GOOD, challenge: { ...CHALLENGE, ...changes } });
}
