import type { Settings } from "../../domain/ports.ts";
import { addressesOf, HOST_KINDS, type HostKind } from "../hosts.ts";
import type { EndpointOptions } from "./endpoint.ts";

/**
 * Who reaches the server of a host: requests for the name of its address, which
 * keeps out a page that has pointed its own name at us (DNS rebinding). Scripts
 * of any page may ask the public server, the other two those of our own pages
 * alone: the same scheme, host and port. Decision 0222 says why.
 */
export function reachOf(
  settings: Pick<Settings, "baseUrl" | "authUrl" | "docsMcpUrl">,
  kind: HostKind,
): Pick<EndpointOptions, "hosts" | "origins"> {
  const addresses = addressesOf(settings);
  return {
    hosts: [addresses[kind].hostname],
    origins: kind === "site"
      ? "any"
      : HOST_KINDS.map((each) => addresses[each].origin),
  };
}
