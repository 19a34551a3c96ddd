import { assertEquals, assertRejects } from "@std/assert";
import { outcomeOf } from "../../../adapters/stripe/outcome.ts";
import { ProcessorUncertain } from "../../../domain/failure.ts";

Deno.test("outcomeOf() begins a call without stacks, and leaves them on for all else", async () => {
  const { stackTraceLimit } = Error;
  const { promise, resolve } = Promise.withResolvers<string>();
  let within = NaN;
  const outcome = outcomeOf(() => {
    within = Error.stackTraceLimit;
    return promise;
  });
  assertEquals([within, Error.stackTraceLimit], [0, stackTraceLimit]);
  resolve("made");
  assertEquals(await outcome, { ok: true, value: "made" });
  assertEquals(Error.stackTraceLimit, stackTraceLimit);
});

Deno.test("outcomeOf() leaves stacks on where a call throws at once, and its outcome is open", async () => {
  const { stackTraceLimit } = Error;
  await assertRejects(
    () =>
      outcomeOf(() => {
        throw new TypeError("no such call");
      }),
    ProcessorUncertain,
  );
  assertEquals(Error.stackTraceLimit, stackTraceLimit);
});
