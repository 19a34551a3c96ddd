import { METRICS_TOKEN_MAX } from "./limits.ts";

const SHAPE = /^spt_[\x21-\x7e]+$/;

/** Whether a text may be a shared payment token: bounded and visible. */
export function isPaymentToken(text: unknown): text is string {
  return typeof text === "string" && text.length <= METRICS_TOKEN_MAX &&
    SHAPE.test(text);
}
