import { z } from "zod";
import type { Json } from "../../domain/idempotency/canonical_json.ts";
import { refuse } from "../../domain/refusal.ts";

/** The longest address that is asked. */
export const CALLBACK_URL_MAX = 512;

/** The body of PUT /v1/agent/events/callback. */
export const callbackBody = z.strictObject({
  url: z.string("must be a text, or null").max(
    CALLBACK_URL_MAX,
    `must have ${CALLBACK_URL_MAX} characters at most`,
  ).nullable().describe(
    "A public https address at port 443, or null for none. A service in " +
      "development on your own machine takes an address of that as well, such " +
      "as http://127.0.0.1:9000/hooks",
  ),
  rotate_secret: z.boolean("must be true or false").optional().describe(
    "Whether another secret is made; the present one signs a day longer",
  ),
});

/** Where a connection is to be told of events. */
export interface CallbackWish {
  url: string | null;
  rotates: boolean;
}

/**
 * Reads where a connection is to be told of events.
 *
 * @throws {Refused} `bad_request` for JSON of another shape
 */
export function parseCallbackBody(said: Json): CallbackWish {
  const parsed = callbackBody.safeParse(said);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const name = issue?.path.join(".") || "the body";
    const wanted = issue?.code === "unrecognized_keys"
      ? "has members that are unknown"
      : issue?.message;
    refuse({
      code: "bad_request",
      message: `Cannot set the callback: ${name} ${wanted}`,
    });
  }
  const { url, rotate_secret: rotates = false } = parsed.data;
  return { url, rotates };
}
