import type { Network } from "./network.ts";
import { type BucketPolicy, NETWORK_POLICIES, VISITS } from "./policy.ts";

/** What is counted by the network of who asks, since it is costly for others. */
export type NetworkPurpose = keyof typeof NETWORK_POLICIES;

/** One token of one of the buckets that a request draws on together. */
export interface Charge {
  /** Names the bucket: what for, a colon, and of whom. */
  id: string;
  policy: BucketPolicy;
}

/**
 * A token for this purpose of each network of the client.
 *
 * @param of whom else it is counted by, such as an e-mail address
 */
export function networkCharges(
  purpose: NetworkPurpose,
  networks: readonly Network[],
  of = "",
): Charge[] {
  return networks.map((network) => ({
    id: `${purpose}:${of === "" ? "" : `${of}|`}${network.id}`,
    policy: grown(NETWORK_POLICIES[purpose], network.factor),
  }));
}

/** A token of each network, or whoever else visits, for a public page. */
export function visitCharges(visitors: readonly Network[]): Charge[] {
  return visitors.map(({ id, factor }) => ({
    id,
    policy: grown(VISITS, factor),
  }));
}

function grown(
  { capacity, refillPerS }: BucketPolicy,
  factor: number,
): BucketPolicy {
  return { capacity: capacity * factor, refillPerS: refillPerS * factor };
}
