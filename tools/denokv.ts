/**
 * `deno task denokv:install`: builds denokv with Rust's cargo into the user's
 * cache, where the networked tests find it. That takes some minutes.
 *
 * @module
 */
import { print, runTool, ToolFailure, UsageError } from "./command.ts";

const VERSION = "0.14.0";

type Environ = Readonly<Record<string, string | undefined>>;

if (import.meta.main) await runTool(install);

async function install(args: string[]): Promise<void> {
  if (args.length > 0) throw new UsageError("Usage: denokv:install");
  const found = await denokvPath();
  if (found !== null) return await print(`denokv is at ${found}`);
  const root = cacheFolder(Deno.env.toObject());
  await print(`Building denokv ${VERSION} into ${root}`);
  await cargo("install", "--locked", "--root", root, `denokv@${VERSION}`);
  await print(`denokv is at ${root}/bin/denokv`);
}

/** Where denokv is: on the PATH or in the user's cache; null: it is nowhere. */
export async function denokvPath(
  env: Environ = Deno.env.toObject(),
): Promise<string | null> {
  const folders = (env["PATH"] ?? "").split(":");
  for (const folder of [...folders, `${cacheFolder(env)}/bin`]) {
    const path = `${folder}/denokv`;
    const { isFile } = await Deno.stat(path).catch(() => ({ isFile: false }));
    if (isFile) return path;
  }
  return null;
}

function cacheFolder(env: Environ): string {
  const caches = env["XDG_CACHE_HOME"] || `${env["HOME"] ?? ""}/.cache`;
  return `${caches}/denokv`;
}

async function cargo(...args: string[]): Promise<void> {
  try {
    const { code } = await new Deno.Command("cargo", { args }).spawn().status;
    if (code === 0) return;
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    throw new ToolFailure(
      "Cannot build denokv without cargo: install Rust, see https://rustup.rs",
    );
  }
  throw new ToolFailure("Cannot build denokv: cargo says why above");
}
