import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { networksOf, widestOf } from "../../../domain/rate_limit/network.ts";
import { networkCharges } from "../../../domain/rate_limit/charge.ts";
import { addressBucket } from "../../../routes/middleware/client_address.ts";

const idsOf = (address: string) => networksOf(address).map(({ id }) => id);

Deno.test("networksOf() gives an IPv6 client its /64, /56 and /48, each with room for more", () => {
  assertEquals(networksOf("2001:db8:1:2ab::/64"), [
    { id: "2001:db8:1:2ab::/64", factor: 1 },
    { id: "2001:db8:1:200::/56", factor: 2 },
    { id: "2001:db8:1::/48", factor: 4 },
  ]);
  assertEquals(idsOf("2001:db8:1:fedc::/64")[1], "2001:db8:1:fe00::/56");
  assertEquals(idsOf("0:0:0:0::/64"), [
    "0:0:0:0::/64",
    "0:0:0:0::/56",
    "0:0:0::/48",
  ]);
  assertEquals(widestOf(networksOf("0:0:0:0::/64")), "0:0:0::/48");
});

Deno.test("networksOf() takes an IPv4 address and an unknown one for a network each", () => {
  for (const address of ["192.0.2.1", "unknown"]) {
    assertEquals(networksOf(address), [{ id: address, factor: 1 }]);
    assertEquals(widestOf(networksOf(address)), address);
  }
});

Deno.test("networksOf() puts two IPv6 addresses into one network exactly when their bits agree", () => {
  const groups = fc.array(fc.integer({ min: 0, max: 0xffff }), {
    minLength: 4,
    maxLength: 4,
  });
  const near = fc.tuple(groups, fc.nat(63), fc.boolean());
  fc.assert(fc.property(near, ([first, bit, isFlipped]) => {
    const second = first.map((group, at) =>
      isFlipped && at === bit >> 4 ? group ^ (0x8000 >> (bit & 15)) : group
    );
    const text = (all: number[]) =>
      `${all.map((each) => each.toString(16)).join(":")}::1`;
    const [one, two] = [first, second].map((all) =>
      idsOf(addressBucket(text(all)) ?? "")
    );
    const agree = (bits: number) => !isFlipped || bit >= bits;
    assertEquals(
      one?.map((id, at) => id === two?.[at]),
      [agree(64), agree(56), agree(48)],
    );
  }));
});

Deno.test("networkCharges() names purpose, network and whom else it is counted by", () => {
  const charges = networkCharges("report", networksOf("2001:db8:1:2::/64"));
  assertEquals(charges.map(({ id }) => id), [
    "report:2001:db8:1:2::/64",
    "report:2001:db8:1:0::/56",
    "report:2001:db8:1::/48",
  ]);
  assertEquals(charges.map(({ policy }) => policy.capacity), [10, 20, 40]);
  const perS = charges[0]?.policy.refillPerS ?? 0;
  assertEquals(
    charges.map(({ policy }) => policy.refillPerS),
    [perS, 2 * perS, 4 * perS],
  );
  const [of] = networkCharges("report", networksOf("192.0.2.1"), "somebody");
  assertEquals(of?.id, "report:somebody|192.0.2.1");
});
