/**
 * Four processes over a KV server whose line has faults, which only a server can
 * have: a file is one process's at a time.
 */
import { assert } from "@std/assert";
import {
  closeAndSettleOnce,
  neverAdmitMore,
  neverExceedCap,
} from "../support/several_processes.ts";
import { IS_NETWORKED } from "../support/test_kv.ts";

assert(IS_NETWORKED, "deno task test:networked says where the server is");

Deno.test("four processes on one store never admit more than the bucket allows", () =>
  neverAdmitMore(4));

Deno.test("four processes on one store never exceed a daily cap", () =>
  neverExceedCap(4));

Deno.test("four processes close a day on time and settle it once", () =>
  closeAndSettleOnce(4));
