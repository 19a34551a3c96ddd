import type { ClientFiles } from "../routes/site/documents/client_routes.ts";

const FOLDER = new URL("../clients/", import.meta.url);

/**
 * Reads the command line and the typed client once, from `clients/` beside this
 * folder: what its package says belongs to it, and the package itself.
 */
export async function readClientFiles(): Promise<ClientFiles> {
  const own = await Deno.readTextFile(new URL("package.json", FOLDER));
  const { files }: { files: string[] } = JSON.parse(own);
  const found = await Promise.all(files.map((folder) => filesIn(`${folder}/`)));
  const paths = ["README.md", "package.json", ...found.flat().toSorted()];
  return await Promise.all(
    paths.map(async (path) =>
      [path, await Deno.readTextFile(new URL(path, FOLDER))] as const
    ),
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
