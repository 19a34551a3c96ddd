import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  isLoopbackAddress,
  isSpecialAddress,
  SPECIAL_IPV4,
  SPECIAL_IPV6,
} from "../../../adapters/fetcher/special_addresses.ts";

/** A network as first number and width, by arithmetic of the test's own. */
interface Network {
  first: bigint;
  hostBits: bigint;
}

function bitsOf4(address: string): bigint {
  return address.split(".").reduce(
    (sum, part) => sum * 256n + BigInt(part),
    0n,
  );
}

/** Eight groups, `::` spelt out; no IPv4 inside. */
function bitsOf6(address: string): bigint {
  const [head = "", tail] = address.split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = Array.from(
    { length: 8 - left.length - right.length },
    () => "0",
  );
  return [...left, ...zeros, ...right]
    .reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n);
}

function text4(bits: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (bits >> shift) & 255n).join(".");
}

function text6(bits: bigint): string {
  return Array.from({ length: 8 }, (_, at) => {
    const group = (bits >> BigInt(16 * (7 - at))) & 65_535n;
    return group.toString(16);
  }).join(":");
}

function networkOf(text: string): Network {
  const [address = "", bits] = text.split("/");
  const isOld = address.includes(".");
  const width = isOld ? 32n : 128n;
  return {
    first: isOld ? bitsOf4(address) : bitsOf6(address),
    hostBits: width - BigInt(bits ?? 0),
  };
}

function contains({ first, hostBits }: Network, bits: bigint): boolean {
  return bits >> hostBits === first >> hostBits;
}

const networks4 = SPECIAL_IPV4.map(networkOf);
const networks6 = SPECIAL_IPV6.map(networkOf);
const GLOBAL = networkOf("2000::/3");

for (const text of [...SPECIAL_IPV4, ...SPECIAL_IPV6]) {
  Deno.test(`D8: every address of ${text} is special, both ends included`, () => {
    const { first, hostBits } = networkOf(text);
    const last = (1n << hostBits) - 1n;
    const spell = text.includes(".") ? text4 : text6;
    fc.assert(fc.property(
      fc.oneof(
        fc.constantFrom(0n, last),
        fc.bigInt({ min: 0n, max: last }),
      ),
      (host) => assert(isSpecialAddress(spell(first + host))),
    ));
  });
}

Deno.test("D8: an IPv4 address is special in the listed networks alone", () => {
  fc.assert(fc.property(fc.bigInt({ min: 0n, max: 2n ** 32n - 1n }), (bits) => {
    const expected = networks4.some((network) => contains(network, bits));
    assertEquals(isSpecialAddress(text4(bits)), expected, text4(bits));
  }));
});

Deno.test("D8: an IPv6 address is public in 2000::/3 without the listed networks", () => {
  const anywhere = fc.bigInt({ min: 0n, max: 2n ** 128n - 1n });
  const global = fc.bigInt({ min: 0n, max: 2n ** 125n - 1n })
    .map((host) => GLOBAL.first + host);
  fc.assert(fc.property(fc.oneof(anywhere, global), (bits) => {
    const expected = !contains(GLOBAL, bits) ||
      networks6.some((network) => contains(network, bits));
    assertEquals(isSpecialAddress(text6(bits)), expected, text6(bits));
  }));
});

Deno.test("D8: an IPv4 address inside an IPv6 one is special however it is written", () => {
  fc.assert(fc.property(
    fc.ipV4(),
    fc.constantFrom("::ffff:", "::", "64:ff9b::"),
    (address, prefix) => assert(isSpecialAddress(prefix + address)),
  ));
});

const SPELLINGS = [
  "::ffff:127.0.0.1",
  "::ffff:7f00:1",
  "::FFFF:10.0.0.1",
  "0:0:0:0:0:ffff:a9fe:a9fe",
  "64:ff9b::a00:1",
  "2002:7f00:1::",
  "::",
  "::1",
  "fe80::1%eth0",
  "2606:4700::1%eth0",
];
for (const address of SPELLINGS) {
  Deno.test(`D8: ${address} is special`, () => {
    assert(isSpecialAddress(address));
  });
}

for (const text of ["", "localhost", "1.2.3", "0x7f000001", "2130706433"]) {
  Deno.test(`what is no address, as "${text}", is special`, () => {
    assert(isSpecialAddress(text));
  });
}

for (const address of ["93.184.216.34", "1.1.1.1", "2606:4700::6810:84e5"]) {
  Deno.test(`${address} is public`, () => {
    assertEquals(isSpecialAddress(address), false);
  });
}

Deno.test("isLoopbackAddress() knows this machine's addresses alone", () => {
  const own = ["127.0.0.1", "127.255.255.255", "::1"];
  const others = ["126.0.0.1", "128.0.0.1", "::2", "10.0.0.1", "localhost", ""];
  assertEquals(own.filter(isLoopbackAddress), own);
  assertEquals(others.filter(isLoopbackAddress), []);
});
