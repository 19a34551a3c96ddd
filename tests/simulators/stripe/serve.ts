/**
 * A simulator in a process of its own, to be killed: takes the path of the
 * books, prints the port.
 *
 * @module
 */

import { startSimulator } from "../../../simulators/stripe/mod.ts";
import { SECRET_KEY } from "./support.ts";

const sim = await startSimulator({
  hostname: "127.0.0.1",
  port: 0,
  booksPath: Deno.args[0] ?? null,
  secretKey: SECRET_KEY,
  webhook: null,
  now: Date.now,
  random: Math.random,
});
await Deno.stdout.write(new TextEncoder().encode(`${sim.port}\n`));
