import { addressesOf, HOST_KINDS, type HostKind } from "../hosts.ts";
import type { Settings } from "../../domain/ports.ts";
import type { EndpointOptions } from "./endpoint.ts";

/**
 * Who reaches the server of a host: requests for the name of its address, and
 * scripts of our own pages, of any port, as development has one a host.
 */
export function reachOf(
  settings: Pick<Settings, "baseUrl" | "authUrl" | "docsMcpUrl">,
  kind: HostKind,
): Pick<EndpointOptions, "hosts" | "origins"> {
  const addresses = addressesOf(settings);
  return {
    hosts: [addresses[kind].hostname],
    origins: HOST_KINDS.map((each) => addresses[each].hostname),
  };
}
