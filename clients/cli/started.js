// @ts-check
import { readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

const PROGRAM = new URL("./spotlight.js", import.meta.url);

/**
 * How this command line was started, as it is typed: what advice begins with,
 * so that it can be typed as it stands. A service that was named is named
 * again, which may be another than that of the last login.
 */
export const STARTED = startedAs({
  isDeno: "Deno" in globalThis,
  program: PROGRAM,
  script: process.argv[1] ?? "",
}) + named(process.argv.slice(2));

/**
 * @param {{ isDeno: boolean, program: URL, script: string }} how `script` is
 * what Node.js was told to run
 */
export function startedAs({ isDeno, program, script }) {
  if (isDeno) {
    const isFile = program.protocol === "file:";
    const named = isFile ? near(fileURLToPath(program)) : program.href;
    return `deno run -A ${quoted(named)}`;
  }
  // A link in a folder of commands, as a package has it.
  if (basename(script) !== "spotlight") return `node ${quoted(near(script))}`;
  const fetched = fetchedByNpx(script);
  if (fetched !== null) return `npx -y ${quoted(fetched)}`;
  // In the folder of a project, where npx finds it and the shell does not.
  return dirname(script).endsWith(join("node_modules", ".bin"))
    ? quoted(near(script))
    : "spotlight";
}

/**
 * The option that names a service, as it was given.
 *
 * @param {readonly string[]} args
 */
export function named(args) {
  const at = args.findIndex((arg) => /^--url(=|$)/.test(arg));
  const url = args[at]?.slice("--url=".length) || args[at + 1];
  return at < 0 || url === undefined ? "" : ` --url ${quoted(url)}`;
}

/**
 * The package that npx fetched for this run alone: it is no command of the
 * shell afterwards.
 *
 * @param {string} script
 * @returns {string | null}
 */
function fetchedByNpx(script) {
  try {
    const folder = join(dirname(script), "..", "..");
    const text = readFileSync(join(folder, "package.json"), "utf8");
    const named = JSON.parse(text)._npx?.packages?.[0];
    return typeof named === "string" ? named : null;
  } catch {
    return null;
  }
}

/**
 * A path as it is typed here: from this folder on, where it is below.
 *
 * @param {string} path
 */
function near(path) {
  const below = relative(process.cwd(), path);
  return below === "" || below.startsWith("..") ? path : below;
}

/**
 * One word of a shell.
 *
 * @param {string} word
 */
export function quoted(word) {
  return /^[\w@%+=:,./-]+$/.test(word)
    ? word
    : `'${word.replaceAll("'", `'\\''`)}'`;
}
