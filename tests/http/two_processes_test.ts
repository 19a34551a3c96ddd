import {
  closeAndSettleOnce,
  neverAdmitMore,
  neverExceedCap,
} from "../support/several_processes.ts";

Deno.test("two processes on one store never admit more than the bucket allows", () =>
  neverAdmitMore(2));

Deno.test("two processes on one store never exceed a daily cap", () =>
  neverExceedCap(2));

Deno.test("two processes close a day on time and settle it once", () =>
  closeAndSettleOnce(2));
