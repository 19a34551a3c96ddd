import { assertEquals } from "@std/assert";
import {
  covers,
  type Resource,
  RESOURCES,
} from "../../../domain/oauth/resource.ts";

Deno.test("covers() lets a token be used at what it names, and one for the agent API at its tools as well", () => {
  for (const named of RESOURCES) {
    const covered = RESOURCES.filter((wanted) => covers([named], wanted));
    const alone: Resource[] = [named];
    assertEquals(
      new Set(covered),
      new Set(named === "agent" ? ["agent", "mcp"] : alone),
    );
  }
});
