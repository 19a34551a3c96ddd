import type { Settings } from "../domain/ports.ts";
import { addressesOf, HOST_KINDS, type HostKind } from "./hosts.ts";
import {
  isOf,
  type RoutedHost,
  routeTable,
  type Surface,
  type TableServices,
} from "./route_table.ts";

/** What the tables of all hosts need of the service. */
export interface HostServices extends TableServices {
  settings: Pick<Settings, "baseUrl" | "authUrl" | "docsMcpUrl">;
}

/**
 * Builds the hosts of their surfaces. Each knows what the others have, so that
 * whoever asks the wrong one is told the right one.
 */
export function routedHosts(
  services: HostServices,
  surfaces: Readonly<Record<HostKind, readonly Surface[]>>,
): Record<HostKind, RoutedHost> {
  const addresses = addressesOf(services.settings);
  const patterns = HOST_KINDS.map((kind) => ({
    kind,
    origin: addresses[kind].origin,
    wanted: surfaces[kind].flatMap(({ routes }) => routes)
      .map(({ path }) => path.split("/")),
  }));
  const tableOf = (own: HostKind) =>
    routeTable({
      ...services,
      elsewhere(path) {
        const given = path.split("/");
        const found = patterns.find(({ kind, wanted }) =>
          kind !== own && wanted.some((each) => isOf(each, given))
        );
        return found && `it is on ${found.origin}`;
      },
    }, surfaces[own]);
  return {
    site: tableOf("site"),
    auth: tableOf("auth"),
    docs_mcp: tableOf("docs_mcp"),
  };
}
