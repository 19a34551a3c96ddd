import { outputOf } from "./processes.ts";

const SOURCE = new URL("../../tests/bench/peers/", import.meta.url);
const CACHE = new URL("../../.cache/bench/", import.meta.url);
const MANIFEST = ["package.json", "package-lock.json"] as const;
const SERVERS = [
  "fastify_clicks.js",
  "fastify_server.js",
  "mcp_express.js",
  "oidc_provider_server.js",
] as const;

/**
 * The folder with the peers installed. What they are built from is compiled on
 * the first run, which takes a minute, and kept in `.cache/`.
 *
 * @throws when npm can't install them
 */
export async function installedPeers(): Promise<string> {
  const folder = new URL(`peers-${await fingerprint()}/`, CACHE);
  if (!await exists(new URL("installed", folder))) await install(folder);
  for (const server of SERVERS) {
    await Deno.copyFile(new URL(server, SOURCE), new URL(server, folder));
  }
  return folder.pathname;
}

async function install(folder: URL): Promise<void> {
  await Deno.mkdir(folder, { recursive: true });
  for (const name of MANIFEST) {
    await Deno.copyFile(new URL(name, SOURCE), new URL(name, folder));
  }
  await outputOf("npm", ["ci", "--no-audit", "--no-fund"], folder.pathname);
  await Deno.writeTextFile(new URL("installed", folder), "");
}

/** Of what is installed and of the Node it is compiled for. */
async function fingerprint(): Promise<string> {
  const texts = await Promise.all(
    MANIFEST.map((name) => Deno.readTextFile(new URL(name, SOURCE))),
  );
  const node = await outputOf("node", ["--version"]);
  const bytes = new TextEncoder().encode([node, ...texts].join());
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  return new Uint8Array(digest).toHex().slice(0, 12);
}

async function exists(file: URL): Promise<boolean> {
  try {
    await Deno.stat(file);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
