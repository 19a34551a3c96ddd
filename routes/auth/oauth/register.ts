import {
  asJsonObject,
  type JsonObject,
} from "../../../domain/oauth/clients/json_object.ts";
import {
  type ClientRegistration,
  registerClient,
} from "../../../domain/oauth/clients/register_client.ts";
import { SCOPES } from "../../../domain/oauth/grant.ts";
import { refuseOauth } from "../../../domain/oauth/refuse_oauth.ts";
import { NEVER_KEPT } from "../../errors/oauth_error.ts";
import { type BodySource, readBody } from "../../http/body.ts";
import { jsonOf, jsonWanted } from "../../http/json_body.ts";
import { saysJson } from "../../http/json_type.ts";
import { chargeNetworks } from "../../middleware/rate_limit.ts";
import { type Route, route } from "../../route_table.ts";
import type { OauthParts } from "./oauth_parts.ts";
import { respondJson } from "../../http/respond.ts";

/** Longest metadata of a client that registers. */
const METADATA_MAX_BYTES = 8 * 1024;

const GRANT_TYPES: readonly string[] = ["authorization_code", "refresh_token"];
const RESPONSE_TYPES: readonly string[] = ["code"];
const APPLICATION_TYPES: readonly unknown[] = ["native", "web"];

/**
 * `POST /oauth/register` (RFC 7591): public clients only. What a client asks
 * for beyond that is answered with what it gets; unknown members are dropped.
 */
export function registerRoute(parts: OauthParts): Route {
  const { services } = parts;
  return route("POST", "/oauth/register", async (context) => {
    // Such as the text that any page may send: it costs nobody a registration.
    if (!saysJson(context.req.raw)) {
      invalid("The body must be application/json");
    }
    await chargeNetworks(context, parts, "registration");
    const metadata = await readMetadata(context);
    const answered = answeredMetadata(metadata);
    const registration = await registerClient(services, {
      name: metadata.client_name,
      redirectUris: metadata.redirect_uris,
    });
    const body = { ...identity(registration), ...answered };
    return respondJson(body, { status: 201, headers: NEVER_KEPT });
  });
}

async function readMetadata(source: BodySource): Promise<JsonObject> {
  const read = jsonOf(await readBody(source, METADATA_MAX_BYTES));
  const metadata = read.ok ? asJsonObject(read.value) : null;
  if (metadata !== null) return metadata;
  if (read.ok || read.fault === "not_json") {
    invalid("The body must be a JSON object");
  }
  invalid(
    read.fault === "too_long"
      ? `The body must be of ${METADATA_MAX_BYTES} bytes at most`
      : `The body must ${jsonWanted(read.fault)}`,
  );
}

function identity({ client, dropped }: ClientRegistration): JsonObject {
  return {
    client_id: client.id,
    client_id_issued_at: Math.floor(client.createdAtMs / 1_000),
    client_name: client.name,
    redirect_uris: client.redirectUris,
    ...dropped.length > 0 && {
      dropped_redirect_uris: dropped.map(({ redirectUri, reason }) => ({
        redirect_uri: redirectUri,
        reason,
      })),
    },
  };
}

/** What the client gets, which may be less than it asked for (RFC 7591 §2). */
function answeredMetadata(metadata: JsonObject): JsonObject {
  const grantTypes = supported(metadata, "grant_types", GRANT_TYPES);
  if (!grantTypes.includes("authorization_code")) {
    invalid("grant_types must include authorization_code");
  }
  const { application_type: applicationType, scope } = metadata;
  const scopes = typeof scope === "string"
    ? SCOPES.filter((each) => scope.split(" ").includes(each))
    : [];
  return {
    grant_types: grantTypes,
    response_types: supported(metadata, "response_types", RESPONSE_TYPES),
    token_endpoint_auth_method: "none",
    ...APPLICATION_TYPES.includes(applicationType) &&
      { application_type: applicationType },
    ...scopes.length > 0 && { scope: scopes.join(" ") },
  };
}

function supported(
  metadata: JsonObject,
  name: string,
  all: readonly string[],
): readonly string[] {
  const asked = metadata[name];
  if (asked === undefined || asked === null) return all;
  if (!Array.isArray(asked)) invalid(`${name} must be an array`);
  const both = all.filter((each) => asked.includes(each));
  return both.length > 0 ? both : invalid(`${name} has nothing supported`);
}

function invalid(description: string): never {
  refuseOauth("invalid_client_metadata", description);
}
