// @ts-check
import { createHash, randomBytes } from "node:crypto";
import { answerTo, readAnswer } from "../api/answers.js";
import { Refused } from "../api/errors.js";
import { repeated } from "./repeats.js";
import { EXIT, Stop } from "./stop.js";

/**
 * @typedef {{
 *   issuer: string,
 *   authorization_endpoint: string,
 *   token_endpoint: string,
 *   registration_endpoint?: string,
 *   revocation_endpoint: string,
 *   code_challenge_methods_supported?: string[],
 *   client_id_metadata_document_supported?: boolean,
 *   authorization_response_iss_parameter_supported?: boolean,
 * }} Server
 */

const TIME_LIMIT_MS = 15_000;
const CHECK_URL = "Check --url: it is the address of the website.";

/**
 * The authorization server of a service (RFC 9728, RFC 8414).
 *
 * @param {string} baseUrl
 * @returns {Promise<Server>}
 */
export async function discover(baseUrl) {
  const path = "/.well-known/oauth-protected-resource";
  const { resource, authorization_servers: servers } = await read(
    baseUrl + path,
  );
  // RFC 9728 §3.3: what tells of another address tells nothing of this one.
  if (resource !== baseUrl) {
    const named = typeof resource === "string" ? ` but about ${resource}` : "";
    throw new Stop(
      EXIT.notReached,
      `The document of ${baseUrl} is not about this address${named}`,
      { advice: CHECK_URL },
    );
  }
  const [issuer] = Array.isArray(servers) ? servers : [];
  if (typeof issuer !== "string") {
    throw new Stop(
      EXIT.notReached,
      `${baseUrl} names no authorization server`,
      { advice: CHECK_URL },
    );
  }
  safeAddress(issuer);
  const server = await read(
    `${issuer}/.well-known/oauth-authorization-server`,
  );
  const methods = server.code_challenge_methods_supported ?? [];
  if (server.issuer !== issuer || !methods.includes("S256")) {
    throw new Stop(
      EXIT.notReached,
      `The document of ${issuer} is not one of an authorization server with PKCE`,
    );
  }
  const { authorization_endpoint: authorize, token_endpoint: token } = server;
  const { revocation_endpoint: revocation } = server;
  for (const each of [authorize, token, revocation]) safeAddress(each);
  return server;
}

/**
 * Registers this program (RFC 7591) and answers its id.
 *
 * @param {Server} server
 */
export async function register({ registration_endpoint: url }) {
  if (url === undefined) {
    throw new Stop(EXIT.refused, "The service registers no programs", {
      advice: "Publish a client metadata document and name its address with " +
        "--client-id.",
    });
  }
  const { client_id: id } = await read(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      client_name: "Spotlight command line",
      redirect_uris: ["http://127.0.0.1/callback"],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
      application_type: "native",
    }),
  });
  return String(id);
}

/**
 * An authorization request, with what its answer is checked by.
 *
 * @param {Server} server
 * @param {{ clientId: string, redirectUri: string, scope: string }} asked
 */
export function authorizationRequest(server, { clientId, redirectUri, scope }) {
  const state = randomText();
  const verifier = randomText();
  const url = new URL(server.authorization_endpoint);
  const parameters = {
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUri,
    scope,
    state,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
    // The agent API and its tool server, and not the checkout.
    resource: server.issuer,
  };
  for (const [name, value] of Object.entries(parameters)) {
    url.searchParams.set(name, value);
  }
  return { url, state, verifier };
}

/**
 * Exchanges a code for tokens.
 *
 * @param {Server} server
 * @param {Record<string, string>} given
 */
export async function exchange({ token_endpoint: url }, given) {
  // A code that is sent again ends the connection, but after a 503.
  return await tokensOf(
    url,
    { grant_type: "authorization_code", ...given },
    (thrown) => thrown instanceof Refused && thrown.status === 503,
  );
}

/**
 * Replaces tokens by new ones. An answer that got lost is had again for 30
 * seconds.
 *
 * @param {string} tokenUrl
 * @param {{ clientId: string, refresh: string }} given
 */
export async function refresh(tokenUrl, { clientId, refresh }) {
  return await tokensOf(
    tokenUrl,
    {
      grant_type: "refresh_token",
      refresh_token: refresh,
      client_id: clientId,
    },
    (thrown) => !(thrown instanceof Refused) || thrown.status === 503,
  );
}

/**
 * Ends the connection (RFC 7009).
 *
 * @param {string} revocationUrl
 * @param {{ clientId: string, refresh: string }} given
 */
export async function revoke(revocationUrl, { clientId, refresh }) {
  await read(revocationUrl, {
    method: "POST",
    body: new URLSearchParams({ token: refresh, client_id: clientId }),
  });
}

/**
 * Nothing is sent in the clear but to this machine.
 *
 * @param {string} address
 */
export function safeAddress(address) {
  const url = URL.canParse(address) ? new URL(address) : null;
  const isHere = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url?.hostname ?? "");
  if (url?.protocol === "https:" || url?.protocol === "http:" && isHere) return;
  throw new Stop(EXIT.usage, `Cannot use the address ${address}`, {
    advice: "It has to begin with https://, or http:// on this machine.",
  });
}

/**
 * @param {string} url
 * @param {Record<string, string>} form
 * @param {(thrown: unknown) => boolean} mayRepeat
 * @returns {Promise<import("./credentials.js").Tokens>}
 */
async function tokensOf(url, form, mayRepeat) {
  const init = { method: "POST", body: new URLSearchParams(form) };
  const said = await repeated(
    (leftMs) => read(url, init, Math.min(leftMs, TIME_LIMIT_MS)),
    mayRepeat,
  );
  return {
    access: String(said.access_token),
    refresh: String(said.refresh_token),
    expiresAtMs: Date.now() + Number(said.expires_in) * 1_000,
    scope: String(said.scope ?? ""),
  };
}

/**
 * @param {string} url
 * @param {RequestInit} [init]
 * @param {number} [limitMs]
 */
async function read(url, init = {}, limitMs = TIME_LIMIT_MS) {
  const signal = AbortSignal.timeout(Math.max(1, Math.round(limitMs)));
  return await readAnswer(await answerTo(new URL(url), { ...init, signal }));
}

function randomText() {
  return randomBytes(32).toString("base64url");
}
