import type { z } from "zod";
import type { ERROR_SCHEMAS } from "../../shapes/error_schemas.ts";
import type { SchemaName, SCHEMAS } from "../../shapes/schemas.ts";

/** The shapes that have one example, whatever the status. */
export type ExampleName = Exclude<SchemaName, keyof typeof ERROR_SCHEMAS>;

/** Examples by the names of their shapes. */
export type Examples<Name extends ExampleName> = {
  readonly [Each in Name]: z.input<(typeof SCHEMAS)[Each]>;
};
