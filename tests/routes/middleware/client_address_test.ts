import { assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  addressBucket,
  clientAddress,
  UNKNOWN_ADDRESS,
} from "../../../routes/middleware/client_address.ts";

const PROXY = "198.51.100.9";

function behind(
  trustedProxyHops: number,
  forwardedFor: string | null,
  remoteAddress = PROXY,
): string {
  return clientAddress({ remoteAddress, forwardedFor, trustedProxyHops });
}

Deno.test("clientAddress() believes the socket alone without trusted proxies", () => {
  assertEquals(behind(0, "192.0.2.1"), PROXY);
  assertEquals(behind(0, null), PROXY);
});

Deno.test("clientAddress() takes the n-th entry from the right", () => {
  const list = "203.0.113.66, 192.0.2.1 ,198.51.100.1,198.51.100.2";
  assertEquals(behind(1, list), "198.51.100.2");
  assertEquals(behind(2, list), "198.51.100.1");
  assertEquals(behind(3, list), "192.0.2.1");
  assertEquals(behind(4, list), "203.0.113.66");
});

Deno.test("clientAddress() cannot be changed by what the client sends", () => {
  const invented = fc.array(
    fc.oneof(fc.string(), fc.ipV4(), fc.constant(","), fc.constant("")),
  );
  fc.assert(fc.property(invented, fc.integer({ min: 1, max: 4 }), (sent, n) => {
    const ours = ["192.0.2.1", "10.0.0.1", "10.0.0.2", "10.0.0.3"].slice(0, n);
    assertEquals(behind(n, [...sent, ...ours].join(", ")), "192.0.2.1");
  }));
});

Deno.test("clientAddress() counts empty entries, which are no addresses", () => {
  assertEquals(behind(2, "192.0.2.1,"), "192.0.2.1");
  assertEquals(behind(3, "192.0.2.1,,198.51.100.1"), "192.0.2.1");
  assertEquals(behind(2, "192.0.2.1,,198.51.100.1"), PROXY);
  // With its comma this would be read as an address with a zone.
  assertEquals(behind(2, "2001:db8::1%x,,198.51.100.1"), PROXY);
});

Deno.test("clientAddress() takes an entry of 64 characters and no longer one", () => {
  const entry = "2001:db8:0:1::1%";
  const longest = entry.padEnd(64, "z");
  assertEquals(behind(1, longest), "2001:db8:0:1::/64");
  assertEquals(behind(1, `${longest}z`), PROXY);
});

Deno.test("clientAddress() falls back to the socket when the list is short", () => {
  assertEquals(behind(2, "192.0.2.1"), PROXY);
  // Without its last character it would be an address as well.
  assertEquals(behind(2, "192.0.2.10"), PROXY);
  assertEquals(behind(3, "192.0.2.1, 192.0.2.2"), PROXY);
  assertEquals(behind(1, null), PROXY);
  assertEquals(behind(1, ""), PROXY);
  for (const list of [",", ",,", " , "]) assertEquals(behind(2, list), PROXY);
});

Deno.test("clientAddress() falls back to the socket when the entry is no address", () => {
  const entries = [
    "unknown",
    "_hidden",
    "192.0.2",
    "192.0.2.256",
    "a".repeat(
      10_000,
    ),
  ];
  for (const entry of entries) assertEquals(behind(1, entry), PROXY);
});

Deno.test("clientAddress() never throws and always names some bucket", () => {
  fc.assert(fc.property(fc.string(), fc.string(), fc.nat(5), (a, b, n) => {
    assertEquals(behind(n, a, b).length > 0, true);
  }));
});

Deno.test("clientAddress() lets clients without an address share a bucket", () => {
  assertEquals(behind(0, null, "/run/web.sock"), UNKNOWN_ADDRESS);
  assertEquals(behind(0, null, ""), UNKNOWN_ADDRESS);
});

Deno.test("addressBucket() spells an IPv4 address in one way", () => {
  assertEquals(addressBucket("192.0.2.1"), "192.0.2.1");
  assertEquals(addressBucket("192.0.2.1:4711"), "192.0.2.1");
  assertEquals(addressBucket("::ffff:192.0.2.1"), "192.0.2.1");
  assertEquals(addressBucket("::FFFF:c000:0201"), "192.0.2.1");
  assertEquals(addressBucket("[::ffff:192.0.2.1]:443"), "192.0.2.1");
});

Deno.test("addressBucket() puts an IPv6 /64 into one bucket", () => {
  const bucket = "2001:db8:0:1::/64";
  const same = [
    "2001:db8:0:1::1",
    "2001:0DB8:0000:0001:ffff:ffff:ffff:ffff",
    "2001:db8:0:1::192.0.2.1",
    "2001:db8:0:1:2:3:4:5%eth0",
    "[2001:db8:0:1::1]",
    "[2001:db8:0:1::1]:8443",
  ];
  for (const text of same) assertEquals(addressBucket(text), bucket);
  assertEquals(addressBucket("2001:db8:0:2::1"), "2001:db8:0:2::/64");
  // Only ::ffff:0:0/96 stands for IPv4 addresses.
  assertEquals(addressBucket("1::ffff:192.0.2.1"), "1:0:0:0::/64");
  assertEquals(addressBucket("::1:ffff:192.0.2.1"), "0:0:0:0::/64");
  assertEquals(addressBucket("::1"), "0:0:0:0::/64");
  assertEquals(addressBucket("fe80::"), "fe80:0:0:0::/64");
});

Deno.test("addressBucket() gives every spelling of an IPv6 address one bucket", () => {
  fc.assert(fc.property(fc.ipV6(), (text) => {
    const host = new URL(`http://[${text}]/`).hostname;
    assertEquals(addressBucket(text), addressBucket(host));
  }));
});

Deno.test("addressBucket() refuses what is no address", () => {
  const texts = [
    "",
    " ",
    ":",
    ":::",
    "1.2.3",
    "1.2.3.4.5",
    "01.2.3.4",
    "1.2.3.4:port",
    "1.2.3.4:123456",
    "1::2::3",
    "1:2:3:4:5:6:7",
    "1:2:3:4:5:6:7:8:9",
    "1:2:3:4:5:6:7::8",
    "12345::",
    "g::",
    "::1.2.3",
    "1.2.3.4::",
    "1:2:3:4:5:1.2.3.4:6",
    "[::1",
    "[::1]x",
    "localhost",
  ];
  for (const text of texts) assertEquals(addressBucket(text), null, text);
});
