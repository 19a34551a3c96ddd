import { addressesOf, type HostKind } from "../hosts.ts";
import type { Settings } from "../../domain/ports.ts";
import type { EndpointOptions } from "./endpoint.ts";

/**
 * Who reaches the server of a host: requests for the name of its address, from
 * programs and pages alike. That Host is ours is what keeps out a page that has
 * pointed its own name at us (DNS rebinding).
 */
export function reachOf(
  settings: Pick<Settings, "baseUrl" | "authUrl" | "docsMcpUrl">,
  kind: HostKind,
): Pick<EndpointOptions, "hosts"> {
  return { hosts: [addressesOf(settings)[kind].hostname] };
}
