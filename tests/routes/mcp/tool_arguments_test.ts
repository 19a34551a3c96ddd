import { assertEquals } from "@std/assert";
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
