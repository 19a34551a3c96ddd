import { assertEquals } from "@std/assert";
import { SCOPES } from "../../../domain/oauth/grant.ts";
import {
  FIRST_SCOPES,
  isSubset,
  parseScopes,
  unknownScope,
  withReading,
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

Deno.test("withReading() adds to what is written the reading of it, once and in the contract's order", () => {
  assertEquals(withReading(["bids:write"]), ["bids:read", "bids:write"]);
  assertEquals(
    withReading(["creatives:write", "creatives:read", "account:read"]),
    ["account:read", "creatives:read", "creatives:write"],
  );
  assertEquals(withReading(["privacy:write"]), ["privacy:write"]);
  assertEquals(withReading([...SCOPES].reverse()), [...SCOPES]);
});

Deno.test("what is asked for first goes together: what may be written may be read", () => {
  for (const first of Object.values(FIRST_SCOPES)) {
    assertEquals(withReading(first), [...first]);
  }
});
