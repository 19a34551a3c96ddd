import { assertEquals, assertThrows } from "@std/assert";
import { openCountries } from "../../../adapters/clicks/countries.ts";

const countryOf = openCountries();

Deno.test("countryOf() knows addresses of both kinds", () => {
  // Addresses of registries and universities, which hardly ever move.
  assertEquals(countryOf("193.0.6.139"), "NL");
  assertEquals(countryOf("18.9.22.69"), "US");
  assertEquals(countryOf("133.11.0.1"), "JP");
  assertEquals(countryOf("2001:67c:2e8:22::c100:68b"), "NL");
  assertEquals(countryOf("2001:200:dff:fff1:216:3eff:feb1:44d7"), "JP");
});

Deno.test("countryOf() takes the /64 that stands for an IPv6 client", () => {
  assertEquals(countryOf("2001:200:dff:fff1::/64"), "JP");
});

Deno.test("countryOf() knows no country of what is nobody's", () => {
  const nobodys = [
    "127.0.0.1",
    "10.1.2.3",
    "192.168.0.1",
    "203.0.113.5",
    "::1",
    "fe80::1",
    "2001:db8::/64",
    "unknown",
    "",
    "999.1.1.1",
    "::/64",
  ];
  for (const address of nobodys) {
    assertEquals(countryOf(address), null, address);
  }
});

Deno.test("openCountries() refuses what is no database of countries", () => {
  assertThrows(() => openCountries(new TextEncoder().encode("no database")));
});
