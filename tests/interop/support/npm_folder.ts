import { ROOT } from "../../../tools/own_modules.ts";
import { CapturedProcess } from "../../support/captured_process.ts";

const MANIFEST = ["package.json", "package-lock.json"] as const;
/** Longest installation, the download on a fresh machine included. */
const INSTALL_WITHIN_MS = 180_000;
/** Longest run of a program, beside others; a test has two minutes. */
const RUN_WITHIN_MS = 110_000;

/**
 * A copy of a folder of ours under `.cache/` with its locked packages installed
 * by npm, whose scripts are not run. Nothing of it is in the project's own
 * module graph; a second run installs nothing.
 *
 * @param name the folder's name in tests/interop
 * @throws when npm can't install the packages in time
 */
export async function npmFolder(name: string): Promise<string> {
  const source = `${ROOT}tests/interop/${name}/`;
  const folder = `${ROOT}.cache/interop/${name}-${await digestOf(source)}/`;
  if (!await exists(`${folder}installed`)) await install(source, folder);
  for await (const { name, isFile } of Deno.readDir(source)) {
    if (isFile) await Deno.copyFile(source + name, folder + name);
  }
  return folder;
}

async function install(source: string, folder: string): Promise<void> {
  await Deno.mkdir(folder, { recursive: true });
  for (const name of MANIFEST) {
    await Deno.copyFile(source + name, folder + name);
  }
  const args = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"];
  await run("npm", args, folder, INSTALL_WITHIN_MS);
  await Deno.writeTextFile(`${folder}installed`, "");
}

/** Runs a program of the folder under Node and answers what it printed. */
export async function runNode(
  folder: string,
  program: string,
  input: unknown,
): Promise<string> {
  const args = [program, JSON.stringify(input)];
  return await run("node", args, folder, RUN_WITHIN_MS);
}

async function run(
  command: string,
  args: string[],
  cwd: string,
  withinMs: number,
): Promise<string> {
  const printed = () => true;
  await using process = new CapturedProcess({ command, args, cwd, printed });
  const timer = setTimeout(() => process.kill("SIGKILL"), withinMs);
  const { code, stdout, stderr } = await process.ended;
  clearTimeout(timer);
  if (code === 0) return stdout;
  throw new Error(`Cannot run ${command}: ${stderr.trim()}`);
}

async function digestOf(source: string): Promise<string> {
  const texts = await Promise.all(
    MANIFEST.map((name) => Deno.readTextFile(source + name)),
  );
  const bytes = new TextEncoder().encode(texts.join());
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  return [...new Uint8Array(digest)]
    .map((byte) => byte.toString(16).padStart(2, "0")).join("").slice(0, 12);
}

async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}
