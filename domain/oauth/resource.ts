/**
 * What tokens are for (RFC 8707): the agent API on `{auth_url}`, the advertiser
 * MCP server at `{auth_url}/mcp`, and what `{base_url}` protects.
 */
export const RESOURCES = ["agent", "mcp", "site"] as const;

/** One protected resource. */
export type Resource = typeof RESOURCES[number];

/** Where the hosts are, without a trailing slash. */
interface Addresses {
  authUrl: string;
  baseUrl: string;
}

/** The identifier of a resource, as metadata documents name it. */
export function resourceAddress(
  { authUrl, baseUrl }: Addresses,
  resource: Resource,
): string {
  switch (resource) {
    case "agent":
      return authUrl;
    case "mcp":
      return `${authUrl}/mcp`;
    case "site":
      return baseUrl;
  }
}

/** Where the metadata of a resource is (RFC 9728 §3.1). */
export function resourceMetadataUrl(
  { authUrl, baseUrl }: Addresses,
  resource: Resource,
): string {
  const path = "/.well-known/oauth-protected-resource";
  switch (resource) {
    case "agent":
      return `${authUrl}${path}`;
    case "mcp":
      return `${authUrl}${path}/mcp`;
    case "site":
      return `${baseUrl}${path}`;
  }
}

/**
 * The resource an address names; `null` for any other. Scheme and host are
 * compared in lower case and one slash at the end does not count.
 */
function parseResource(
  settings: Addresses,
  text: string,
): Resource | null {
  const [, origin, rest] = /^([a-z]+:\/\/[^/?#]*)(.*)$/is.exec(text) ?? [];
  if (origin === undefined || rest === undefined) return null;
  const address = `${origin.toLowerCase()}${rest.replace(/\/$/, "")}`;
  return RESOURCES.find((resource) =>
    resourceAddress(settings, resource) === address
  ) ?? null;
}

/** Whether a token for these resources is one for that resource. */
export function covers(
  resources: readonly Resource[],
  wanted: Resource,
): boolean {
  return resources.includes(wanted) ||
    wanted === "mcp" && resources.includes("agent");
}

/**
 * The resources of the addresses, once each; all there are when none is named,
 * and null when one is not ours.
 */
export function parseResources(
  settings: Addresses,
  addresses: readonly string[],
): readonly Resource[] | null {
  if (addresses.length === 0) return RESOURCES;
  const named = addresses.map((address) => parseResource(settings, address));
  return named.includes(null)
    ? null
    : RESOURCES.filter((resource) => named.includes(resource));
}
