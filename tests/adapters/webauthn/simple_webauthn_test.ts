/** What devices say of themselves is not asked for, and not looked into. */
import { assert, assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import {
  decodeAttestationObject,
  isoCBOR,
} from "@simplewebauthn/server/helpers";
import { simpleWebauthn } from "../../../adapters/webauthn/simple_webauthn.ts";
import fixture from "../../fixtures/attestation_naming_a_list.json" with {
  type: "json",
};
import { TEST_BASE_URL } from "../../support/public_spotlights.ts";

type Member = string | Uint8Array | Map<string, unknown>;

/** Counts what is fetched meanwhile: nothing may be. */
async function fetchedBy(run: () => Promise<unknown>): Promise<number> {
  const { fetch } = globalThis;
  let fetched = 0;
  globalThis.fetch = () => {
    fetched += 1;
    return Promise.reject(new Error("Nothing is fetched"));
  };
  try {
    await run();
  } finally {
    globalThis.fetch = fetch;
  }
  return fetched;
}

/** The registration with its attestation object changed. */
function changed(change: (object: Map<string, Member>) => void): unknown {
  const { response, ...rest } = fixture.response;
  const bytes = new Uint8Array(
    Buffer.from(response.attestationObject, "base64url"),
  );
  const object = decodeAttestationObject(bytes) as Map<string, unknown>;
  const copy = new Map([...object]) as Map<string, Member>;
  change(copy);
  const attestationObject = Buffer.from(
    isoCBOR.encode(copy as Parameters<typeof isoCBOR.encode>[0]),
  ).toString("base64url");
  return { ...rest, response: { ...response, attestationObject } };
}

const webauthn = simpleWebauthn(TEST_BASE_URL);
const verify = (response: unknown) =>
  webauthn.verifyRegistration(response, fixture.challenge);

const FORMATS = [
  "android-key",
  "packed",
  "tpm",
  "apple",
  "android-safetynet",
  "fido-u2f",
  "none",
  "of nobody",
];
for (const format of FORMATS) {
  Deno.test(`certificates sent with a passkey (${format}) make us fetch nothing, and are not looked at`, async () => {
    const fetched = await fetchedBy(async () => {
      const made = await verify(changed((object) => object.set("fmt", format)));
      assertEquals(made?.credentialId, fixture.response.id);
    });
    assertEquals(fetched, 0);
  });
}

Deno.test("a passkey under another id than was said is refused", async () => {
  const sent = { ...fixture.response, id: "AAAA", rawId: "AAAA" };
  assertEquals(await verify(sent), null);
});

Deno.test("a passkey with more in its key than any key has is refused", async () => {
  const withMore = (bytes: number) =>
    changed((object) => {
      const authData = object.get("authData") as Uint8Array;
      // {1: 2, 3: -7, -1: 1, -2: x, -3: y} and one more member.
      const at = authData.length - 77;
      assertEquals(authData[at], 0xa5);
      const more = isoCBOR.encode(new Uint8Array(bytes));
      const all = [
        authData.subarray(0, at),
        new Uint8Array([0xa6]),
        authData.subarray(at + 1),
        new Uint8Array([0x39, 0x03, 0xe7]),
        more,
      ];
      object.set("authData", new Uint8Array(Buffer.concat(all)));
    });
  assert(await verify(withMore(100)) !== null);
  assertEquals(await verify(withMore(6_500)), null);
});
