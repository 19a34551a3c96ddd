import fc from "fast-check";
import { EPHEMERAL_FAMILIES } from "../../kv/ephemeral.ts";

const part: fc.Arbitrary<Deno.KvKeyPart> = fc.oneof(
  fc.string({ unit: "binary", maxLength: 12 })
    .filter((text) => text.isWellFormed()),
  fc.double(),
  fc.bigInt(),
  fc.boolean(),
  fc.uint8Array({ maxLength: 8 }),
);

/** A key the store takes; never one of a family that backups leave out. */
export const storableKey: fc.Arbitrary<Deno.KvKey> = fc
  .array(part, { minLength: 1, maxLength: 4 })
  .filter(([first]) => !EPHEMERAL_FAMILIES.includes(String(first)));

const memberName = fc.oneof(
  fc.string({ unit: "binary", maxLength: 6 }),
  fc.constantFrom("$", "v", "__proto__", "constructor", "toString", "0"),
);

/** A value of any kind the service stores, nested. */
export const storable: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.string({ unit: "binary" }),
    fc.double(),
    fc.integer(),
    fc.bigInt(),
    fc.boolean(),
    fc.constantFrom(null, undefined, -0, "\ud800", "", "\n", "\u2028"),
    fc.uint8Array(),
    fc.date({ noInvalidDate: false }),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.sparseArray(tie("value"), { maxLength: 6, maxNumElements: 3 }),
    fc.dictionary(memberName, tie("value"), {
      maxKeys: 4,
      noNullPrototype: true,
    }),
  ),
})).value;
