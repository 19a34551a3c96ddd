import type { ClientFiles } from "../routes/site/documents/client_routes.ts";

const FOLDER = new URL("../clients/", import.meta.url);

/** What the files call the service, which whoever fetched it has the address of. */
const EXAMPLE = "https://spotlight.example";

/**
 * Reads the command line and the typed client once, from `clients/` beside this
 * folder: what its package says belongs to it, and the package itself. Commands of
 * the README are written for the service at the address, and the command line takes
 * that where none is named.
 */
export async function readClientFiles(baseUrl: string): Promise<ClientFiles> {
  const own = await Deno.readTextFile(new URL("package.json", FOLDER));
  const { files }: { files: string[] } = JSON.parse(own);
  const found = await Promise.all(files.map((folder) => filesIn(`${folder}/`)));
  const paths = ["README.md", "package.json", ...found.flat().toSorted()];
  return await Promise.all(
    paths.map(async (path) => {
      const text = await Deno.readTextFile(new URL(path, FOLDER));
      return [path, text.replaceAll(EXAMPLE, baseUrl)] as const;
    }),
  );
}

/** The paths of all files below a folder, which ends in a slash. */
async function filesIn(folder: string): Promise<string[]> {
  const paths: string[] = [];
  for await (
    const { name, isDirectory } of Deno.readDir(new URL(folder, FOLDER))
  ) {
    const path = folder + name;
    paths.push(...isDirectory ? await filesIn(`${path}/`) : [path]);
  }
  return paths;
}
