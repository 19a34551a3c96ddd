import { invariant } from "../invariant.ts";

/**
 * A network in which a client's address lies. A subscriber may choose among
 * all addresses of it, so that what is costly for others is counted by it.
 */
export interface Network {
  /** Such as `192.0.2.1` or `2001:db8:1:200::/56`. */
  id: string;
  /** How many times as much as a single client it may take. */
  factor: number;
}

/** What an IPv4 address or an IPv6 /64, a subscriber's one link, may take. */
const LINK_FACTOR = 1;
/** An IPv6 /56: what a household is usually given. */
const HOUSEHOLD_FACTOR = 2;
/** An IPv6 /48: what a company or a small provider is usually given. */
const SITE_FACTOR = 4;

const LINK_SUFFIX = "::/64";

/**
 * The networks of a client, the narrowest first: of an IPv6 /64 that itself,
 * its /56 and its /48; whatever else is a network by itself.
 * Decision 0032 says why.
 *
 * @param address as `clientAddress` answers it
 */
export function networksOf(
  address: string,
): readonly [Network, ...Network[]] {
  const link = { id: address, factor: LINK_FACTOR };
  if (!address.endsWith(LINK_SUFFIX)) return [link];
  const groups = address.slice(0, -LINK_SUFFIX.length).split(":");
  const [first, second, third, fourth = "0"] = groups;
  const site = `${first}:${second}:${third}`;
  const household = (parseInt(fourth, 16) & 0xff00).toString(16);
  return [
    link,
    { id: `${site}:${household}::/56`, factor: HOUSEHOLD_FACTOR },
    { id: `${site}::/48`, factor: SITE_FACTOR },
  ];
}

/** The widest of a client's networks, by which it takes turns with others. */
export function widestOf(networks: readonly Network[]): string {
  const widest = networks.at(-1);
  invariant(widest !== undefined, "a client lies in a network");
  return widest.id;
}
