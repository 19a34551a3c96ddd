import { METRICS_TOKEN_MAX } from "./limits.ts";

const SHAPE = /^spt_[\x21-\x7e]+$/;

/** "A string beginning spt_", of bounded length and visible characters. */
export function isPaymentToken(text: unknown): text is string {
  return typeof text === "string" && text.length <= METRICS_TOKEN_MAX &&
    SHAPE.test(text);
}
