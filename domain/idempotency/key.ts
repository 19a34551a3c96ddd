import { IDEMPOTENCY_KEY_MAX } from "../limits.ts";
import { refuse } from "../refusal.ts";

/** Of what a key is made: visible ASCII characters (contract §11.1). */
const VISIBLE = /^[\x21-\x7e]+$/;
/** Checkout also takes a space inside the key. */
const VISIBLE_OR_SPACE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/**
 * Reads the value of an Idempotency-Key header; null stands for no header.
 *
 * @throws {Refused} `idempotency_key_required` without a header, `bad_request`
 * for an empty, long or unprintable key
 */
export function parseIdempotencyKey(
  header: string | null,
  rules: { spaceInside?: boolean } = {},
): string {
  if (header === null) refuse({ code: "idempotency_key_required" });
  const shape = rules.spaceInside ? VISIBLE_OR_SPACE : VISIBLE;
  if (header.length <= IDEMPOTENCY_KEY_MAX && shape.test(header)) return header;
  refuse({
    code: "bad_request",
    message: `Cannot read the Idempotency-Key: a key is 1 to ` +
      `${IDEMPOTENCY_KEY_MAX} visible ASCII characters, current length is ` +
      `${header.length}`,
  });
}
