// @ts-check
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { STARTED } from "./started.js";
import { EXIT, Stop } from "./stop.js";

/**
 * What this machine holds of one service. Without tokens it was disconnected:
 * the client's id is kept, so that the next login is the same client.
 *
 * @typedef {{
 *   authUrl: string,
 *   tokenUrl: string,
 *   revocationUrl: string,
 *   clientId: string,
 *   tokens: Tokens | null,
 * }} Login
 *
 * @typedef {{
 *   access: string,
 *   refresh: string,
 *   expiresAtMs: number,
 *   scope: string,
 * }} Tokens
 *
 * @typedef {{ current: string | null, logins: Record<string, Login> }} Kept
 */

/** Where the credentials are (XDG Base Directory). */
function credentialsPath() {
  const { XDG_CONFIG_HOME: home = "" } = process.env;
  const folder = home.startsWith("/") ? home : join(homedir(), ".config");
  return join(folder, "spotlight", "credentials.json");
}

/** @returns {Promise<Kept>} */
export async function readKept() {
  const path = credentialsPath();
  let text;
  try {
    text = await readFile(path, "utf8");
  } catch (thrown) {
    if (/** @type {{ code?: string }} */ (thrown).code === "ENOENT") {
      return { current: null, logins: {} };
    }
    throw new Stop(EXIT.signIn, `Cannot read ${path}`, {
      advice: "Make the file readable for you, or delete it and log in again.",
    });
  }
  try {
    const { current = null, logins } = JSON.parse(text);
    return { current, logins: { ...logins } };
  } catch {
    throw new Stop(EXIT.signIn, `Cannot read ${path}: it is not JSON`, {
      advice: `Delete the file and run \`${STARTED} login\` again.`,
    });
  }
}

/**
 * Keeps what is known of a service, which is then the current one. The file is
 * replaced as a whole and is never readable for others.
 *
 * @param {string} baseUrl
 * @param {Login} login
 */
export async function keepLogin(baseUrl, login) {
  const { logins } = await readKept();
  const path = credentialsPath();
  const text = JSON.stringify({
    current: baseUrl,
    logins: { ...logins, [baseUrl]: login },
  });
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const next = `${path}.${process.pid}`;
  await rm(next, { force: true });
  await writeFile(next, `${text}\n`, { mode: 0o600, flag: "wx" });
  await rename(next, path);
}
