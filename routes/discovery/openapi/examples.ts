/**
 * An example of every shape but those of errors, and of every parameter.
 * `{base_url}` and `{auth_url}` in them are the service's own addresses.
 *
 * @module
 */
import type { Settings } from "../../../domain/ports.ts";
import type { SchemaName } from "../../shapes/schemas.ts";
import { ACCOUNT_EXAMPLES } from "./account_examples.ts";
import type { ExampleName, Examples } from "./example_shape.ts";
import { PUBLIC_EXAMPLES } from "./public_examples.ts";
import { REHEARSAL_EXAMPLES } from "./rehearsal_examples.ts";

/** An example of every shape, by its name. */
export const EXAMPLES: Examples<ExampleName> = {
  ...PUBLIC_EXAMPLES,
  ...ACCOUNT_EXAMPLES,
  ...REHEARSAL_EXAMPLES,
};

/** Whether a shape has one example, whatever the status. */
export function hasExample(name: SchemaName): name is ExampleName {
  return Object.hasOwn(EXAMPLES, name);
}

/** An example of every parameter of a query or a header, by its name. */
export const PARAMETER_EXAMPLES: Readonly<Record<string, unknown>> = {
  "API-Version": "2026-04-17",
  "Idempotency-Key": "5f0c6a52-9d1e-4c8b-8f4f-0b7a3f2c9e11",
  ad_id: "ad_9tqm4x7kc2vr8whzn3ds",
  after: "MTc5NTIxODk2MDAwMA",
  amount_cents: 2500,
  cursor: "MjAyNi0xMS0xOA",
  day: "2026-11-24",
  days: "2026-11-19,2026-11-18",
  includeHouseAds: false,
  limit: 20,
  mode: "list",
  offset: 20,
  query: "pottery courses",
  streaming: false,
  wait: 25,
};

/** Ids by the path that they stand in. */
const PATH_EXAMPLES: Readonly<Record<string, string>> = {
  day: "2026-11-19",
  jobId: "sbx_0123456789abcdef",
  rehearsal: "my-first-bid",
  checkout_session_id: "cs_97b0fa100025a4b4bda661fd43993fc0",
  number: "SPOT-0042",
  note: "SPOT-0043",
  bids: "bid_4zq8m2x7tc9vr5whkn3d",
  creatives: "ad_9tqm4x7kc2vr8whzn3ds",
  payment_methods: "pm_1Q8mXk2vR5whKn3d",
  passkeys: "pk_7hm3x9qtc2vr8wznk4ds",
  exports: "exp_4tq8x2m7kc9vr5whzn3d",
  connections: "grant_5kq8m2x7tc9vr4whzn3",
};

/** An example of a parameter of a path, by its name or by what it is the id of. */
export function pathExample(path: string, name: string): string | undefined {
  const [, kind = ""] = /\/(\w+)\/\{id\}/.exec(path) ?? [];
  return PATH_EXAMPLES[name] ?? PATH_EXAMPLES[kind];
}

/** The same with the service's addresses in it. */
export function withAddresses<Value>(
  value: Value,
  { baseUrl, authUrl }: Pick<Settings, "baseUrl" | "authUrl">,
): Value {
  const text = JSON.stringify(value)
    .replaceAll("{base_url}", baseUrl)
    .replaceAll("{auth_url}", authUrl);
  return JSON.parse(text);
}
