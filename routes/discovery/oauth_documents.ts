import { SCOPES } from "../../domain/oauth/grant.ts";
import {
  type Resource,
  resourceAddress,
  RESOURCES,
} from "../../domain/oauth/resource.ts";
import { FIRST_SCOPES } from "../../domain/oauth/scope_list.ts";
import type { Settings } from "../../domain/ports.ts";
import { ASSERTION_ALGORITHMS } from "../../domain/oauth/client.ts";

type Addresses = Pick<Settings, "authUrl" | "baseUrl">;

/** A document that is published as JSON. */
export type DiscoveryDocument = Readonly<Record<string, unknown>>;

/** How clients may prove themselves at the token endpoint. */
const AUTH_METHODS = ["none", "private_key_jwt"];

const RESOURCE_NAMES: Readonly<Record<Resource, string>> = {
  agent: "Spotlight advertiser API",
  mcp: "Spotlight advertiser MCP server",
  site: "Spotlight checkout",
};

/** Authorization server metadata (RFC 8414). */
export function serverMetadata(settings: Addresses): DiscoveryDocument {
  const { authUrl, baseUrl } = settings;
  return {
    issuer: authUrl,
    authorization_endpoint: `${authUrl}/oauth/authorize`,
    token_endpoint: `${authUrl}/oauth/token`,
    registration_endpoint: `${authUrl}/oauth/register`,
    revocation_endpoint: `${authUrl}/oauth/token`,
    revocation_endpoint_auth_methods_supported: AUTH_METHODS,
    revocation_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGORITHMS,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    token_endpoint_auth_methods_supported: AUTH_METHODS,
    token_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGORITHMS,
    code_challenge_methods_supported: ["S256"],
    scopes_supported: SCOPES,
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    protected_resources: RESOURCES.map((each) =>
      resourceAddress(settings, each)
    ),
    service_documentation: `${baseUrl}/auth.md`,
    op_policy_uri: `${baseUrl}/privacy`,
    op_tos_uri: `${baseUrl}/terms`,
  };
}

/**
 * The server's metadata with the block `agent_auth`, whose members are named as
 * in auth.md v0.1 (contract §9.10).
 */
export function agentServerMetadata(settings: Addresses): DiscoveryDocument {
  const { authUrl, baseUrl } = settings;
  return {
    ...serverMetadata(settings),
    agent_auth: {
      skill: `${baseUrl}/auth.md`,
      register_uri: `${authUrl}/oauth/register`,
      claim_uri: `${authUrl}/oauth/authorize`,
      revocation_uri: `${authUrl}/oauth/token`,
      identity_types_supported: ["anonymous"],
      anonymous: { credential_types_supported: ["access_token"] },
      claim: "OAuth consent: send the user to claim_uri (authorization code, " +
        "PKCE S256). No credential exists before it.",
    },
  };
}

/**
 * Protected resource metadata (RFC 9728). It lists what the resource's job
 * takes: clients that are told nothing else ask for all that is listed here.
 */
export function resourceMetadata(
  settings: Addresses,
  resource: Resource,
): DiscoveryDocument {
  return {
    resource: resourceAddress(settings, resource),
    authorization_servers: [settings.authUrl],
    scopes_supported: FIRST_SCOPES[resource],
    bearer_methods_supported: ["header"],
    resource_name: RESOURCE_NAMES[resource],
    resource_documentation: `${settings.baseUrl}/auth.md`,
  };
}
