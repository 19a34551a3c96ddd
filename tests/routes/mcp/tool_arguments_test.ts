import { assert, assertEquals } from "@std/assert";
import { z } from "zod";
import { preparedSchema } from "../../../routes/mcp/prepared_schema.ts";
import { openPublicMcp } from "../../support/public_mcp.ts";
import { keyArgument } from "../../../routes/mcp/tool_arguments.ts";

Deno.test("a key of another length is told its length, not that it is no text", () => {
  for (const key of ["", "k".repeat(256)]) {
    const told = keyArgument.safeParse(key).error?.issues;
    assertEquals(told?.map(({ message }) => message), [
      "must have 1 to 255 characters",
    ]);
  }
  assertEquals(keyArgument.safeParse("k".repeat(255)).success, true);
});

const named = (count: number, length: number) =>
  Object.fromEntries(
    Array.from(
      { length: count },
      (_, nth) => [String(nth).padEnd(length, "x"), 1],
    ),
  );

Deno.test("a call with thousands of arguments that nobody knows is told so in a sentence, and none is echoed", async () => {
  await using site = await openPublicMcp();
  for (const old of [true, false]) {
    for (const given of [named(2_500, 5), { day: named(2_500, 5) }]) {
      const answer = await site.rpc("tools/call", {
        name: "get_spotlight",
        arguments: given,
      }, { old });
      const { error } = await answer.json();
      assertEquals([answer.status, error], [400, {
        code: -32600,
        message: "The body must have 128 members and elements at most",
      }]);
    }
  }
});

Deno.test("a call with few but long unknown arguments is answered in a bounded text", async () => {
  await using site = await openPublicMcp();
  const answer = await site.rpc("tools/call", {
    name: "get_spotlight",
    arguments: named(100, 290),
  });
  const text = await answer.text();
  assert(/unrecognized/i.test(text), text.slice(0, 300));
  assert(text.length < 1_500, String(text.length));
});

Deno.test("of what is wrong with what a tool is given ten things are told", async () => {
  const schema = preparedSchema(
    z.object({ list: z.array(z.strictObject({ a: z.number() })) }),
    "input",
  );
  const list = Array.from({ length: 127 }, () => ({ a: "x" }));
  const bad = await schema["~standard"].validate({ list });
  assertEquals(bad.issues?.length, 10);
});
