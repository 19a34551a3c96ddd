import { BlockList, isIPv4, isIPv6 } from "node:net";

/** IPv4 networks that are not the public internet. */
export const SPECIAL_IPV4: readonly string[] = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
];

/**
 * IPv6 networks that are not the public internet. Some of them carry an IPv4
 * address inside, which a gateway might follow: they are special altogether.
 */
export const SPECIAL_IPV6: readonly string[] = [
  "::/96",
  "::ffff:0:0/96",
  "64:ff9b::/96",
  "64:ff9b:1::/48",
  "100::/64",
  "2001::/23",
  "2001:db8::/32",
  "2002::/16",
  "3fff::/20",
  "5f00::/16",
  "fc00::/7",
  "fe80::/10",
  "fec0::/10",
  "ff00::/8",
];

const special4 = blockListOf(SPECIAL_IPV4, "ipv4");
const special6 = blockListOf(SPECIAL_IPV6, "ipv6");
const loopback4 = blockListOf(["127.0.0.0/8"], "ipv4");

/**
 * Whether the address leads anywhere but the public internet. What is no
 * address is special, and so is all of IPv6 that nobody has been given yet.
 */
export function isSpecialAddress(address: string): boolean {
  if (isIPv4(address)) return special4.check(address, "ipv4");
  // A zone names an interface of this machine.
  if (!isIPv6(address) || address.includes("%")) return true;
  return special6.check(address, "ipv6") || !isGlobalUnicast(address);
}

/** Whether the address is this machine's own. */
export function isLoopbackAddress(address: string): boolean {
  if (isIPv4(address)) return loopback4.check(address, "ipv4");
  return address === "::1";
}

/** 2000::/3, the only part of IPv6 that is given out. */
function isGlobalUnicast(address: string): boolean {
  return /^[23][0-9a-f]{3}:/i.test(address);
}

function blockListOf(
  networks: readonly string[],
  family: "ipv4" | "ipv6",
): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", bits] = network.split("/");
    list.addSubnet(address, Number(bits), family);
  }
  return list;
}
