// @ts-check
import process from "node:process";
import { createClient, Refused } from "../api/client.js";
import { keepLogin, readKept } from "./credentials.js";
import { HOME } from "./home.js";
import { discover, refresh, safeAddress } from "./oauth.js";
import { STARTED } from "./started.js";
import { EXIT, Stop } from "./stop.js";

/** An access token is replaced so long before it ends. */
const SPARE_MS = 60_000;
const AGENT = "spotlight-cli/1.0.0";

/**
 * @typedef {{ url?: string | undefined, timeLimitMs?: number | undefined }} Where
 * @typedef {import("../api/client.d.ts").Client} Client
 */

/**
 * The service that is meant: the one that is named, else the one that handed
 * this out, else the one that was logged in to last.
 *
 * @param {Where} where
 */
export async function baseUrlOf({ url }) {
  const named = url ?? process.env.SPOTLIGHT_URL ?? HOME ??
    (await readKept()).current;
  if (!named) {
    throw new Stop(EXIT.usage, "No service is named", {
      advice: "Give its address: --url https://…, or set SPOTLIGHT_URL.",
    });
  }
  safeAddress(named);
  return new URL(named).origin;
}

/**
 * A client for what everyone may read.
 *
 * @param {Where} where
 * @returns {Promise<Client>}
 */
export async function publicClient(where) {
  const baseUrl = await baseUrlOf(where);
  return createClient({ baseUrl, userAgent: AGENT, ...limitOf(where) });
}

/**
 * A client that acts for an account: by the token of SPOTLIGHT_TOKEN, or by
 * what `spotlight login` has kept.
 *
 * @param {Where} where
 * @returns {Promise<Client & { baseUrl: string }>}
 */
export async function accountClient(where) {
  const baseUrl = await baseUrlOf(where);
  const { SPOTLIGHT_TOKEN: given } = process.env;
  const authUrl = given
    ? (await discover(baseUrl)).issuer
    : (await loginAt(baseUrl)).authUrl;
  const token = given
    ? () => given
    : (/** @type {string | undefined} */ refused) =>
      freshToken(baseUrl, refused);
  const client = createClient({
    baseUrl,
    authUrl,
    token,
    userAgent: AGENT,
    ...limitOf(where),
  });
  return { ...client, baseUrl };
}

/** @param {Where} where */
function limitOf({ timeLimitMs }) {
  return timeLimitMs === undefined ? {} : { timeLimitMs };
}

/**
 * The file is read at each request: another command may have replaced the
 * tokens, and a refresh token that is used again later ends the connection.
 *
 * @param {string} baseUrl
 * @param {string | undefined} refused
 */
async function freshToken(baseUrl, refused) {
  const login = await loginAt(baseUrl);
  const { tokenUrl, clientId, tokens } = login;
  const isGood = tokens.access !== refused &&
    tokens.expiresAtMs - Date.now() > SPARE_MS;
  if (isGood) return tokens.access;
  try {
    const next = await refresh(tokenUrl, { clientId, refresh: tokens.refresh });
    await keepLogin(baseUrl, { ...login, tokens: next });
    return next.access;
  } catch (thrown) {
    const isNo = thrown instanceof Refused &&
      (thrown.status === 400 || thrown.status === 401);
    if (!isNo) throw thrown;
    throw notConnected(`The connection to ${baseUrl} has ended`);
  }
}

/** @param {string} baseUrl */
async function loginAt(baseUrl) {
  const login = (await readKept()).logins[baseUrl];
  if (!login?.tokens) {
    throw notConnected(`This machine is not connected to ${baseUrl}`);
  }
  return { ...login, tokens: login.tokens };
}

/** @param {string} message */
function notConnected(message) {
  return new Stop(EXIT.signIn, message, {
    advice: `Run \`${STARTED} login\`, and approve it in the browser.`,
  });
}
