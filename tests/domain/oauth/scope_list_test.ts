import { assertEquals } from "@std/assert";
import {
  isSubset,
  parseScopes,
  unknownScope,
} from "../../../domain/oauth/scope_list.ts";

Deno.test("parseScopes() names each scope once, in the interface's order, however many spaces part them", () => {
  assertEquals(parseScopes("bids:write"), ["bids:write"]);
  assertEquals(
    parseScopes(" bids:write  account:read bids:write "),
    ["account:read", "bids:write"],
  );
});

Deno.test("parseScopes() takes no list that is empty or has one unknown scope among known ones", () => {
  for (const text of ["", "  ", "unknown", "account:read unknown"]) {
    assertEquals(parseScopes(text), null, text);
  }
});

Deno.test("unknownScope() names the first unknown scope, and none where all are known", () => {
  assertEquals(unknownScope("account:read  one two"), "one");
  assertEquals(unknownScope(" account:read "), null);
});

Deno.test("isSubset() wants all of some, not merely one", () => {
  assertEquals(isSubset([1], [1, 2]), true);
  assertEquals(isSubset([1, 3], [1, 2]), false);
  assertEquals(isSubset([], [1]), true);
});
