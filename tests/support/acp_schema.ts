import { assert } from "@std/assert";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

const BUNDLE = JSON.parse(
  await Deno.readTextFile(
    new URL("../fixtures/acp/schema.agentic_checkout.json", import.meta.url),
  ),
);

const ajv = newAjv();
ajv.addSchema(BUNDLE);

/** The shapes of the protocol that the service sends or takes. */
export type AcpShape =
  | "CheckoutSession"
  | "CheckoutSessionWithOrder"
  | "CheckoutSessionCreateRequest"
  | "CheckoutSessionUpdateRequest"
  | "CheckoutSessionCompleteRequest"
  | "DiscoveryResponse"
  | "Error"
  | "PaymentHandler";

/** A validator that knows formats; the protocol's schema has extra keywords. */
export function newAjv(): Ajv2020 {
  const made = new Ajv2020({ strict: false, allErrors: true });
  // The package's types describe its CommonJS form.
  (addFormats as unknown as (to: Ajv2020) => void)(made);
  return made;
}

/** The members that the protocol's schema names for a shape. */
export function acpMembers(shape: string): string[] {
  return Object.keys(BUNDLE.$defs[shape].properties);
}

/** Asserts that a value is of a shape of the protocol's public schema. */
export function assertAcp(shape: AcpShape, value: unknown): void {
  const ref = `${BUNDLE.$id}#/$defs/${shape}`;
  const validate = ajv.getSchema(ref);
  assert(validate, `the schema defines ${shape}`);
  assert(
    validate(value),
    `${JSON.stringify(value)} is no ${shape}: ${
      ajv.errorsText(validate.errors)
    }`,
  );
}
