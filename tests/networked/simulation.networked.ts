/**
 * The simulation over a KV server whose line has faults: promises about money
 * hold as they do over a store on the same machine.
 */
import { assert, assertEquals } from "@std/assert";
import { live } from "../simulation/live.ts";
import { IS_NETWORKED } from "../support/test_kv.ts";

const SEEDS = [1];
/** How many, is said by the run. */
const DAYS = Number(Deno.env.get("TEST_DAYS") ?? 1);

for (const seed of SEEDS) {
  Deno.test(`seed ${seed}: over a network with faults every promise about money holds for ${DAYS} days`, async () => {
    assert(IS_NETWORKED, "deno task test:networked says where the server is");
    const { broken, tally } = await live(seed, DAYS, "outside");
    assertEquals(broken, []);
    assert((tally["bid"] ?? 0) > 0, "there was something to settle");
  });
}
