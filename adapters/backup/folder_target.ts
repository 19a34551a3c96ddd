import { mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";
import type { BackupTarget } from "../../domain/operations/backup_target.ts";

const OWNER_ONLY = 0o600;
const FOLDER_OF_OWNER = 0o700;
const PART = ".part";

/**
 * Keeps backups in a folder, in files of their owner's alone. A file is written
 * under another name until it is on the disk.
 */
export function folderTarget(folder: string): BackupTarget {
  return {
    async put(name, bytes) {
      const path = `${folder}/${name}`;
      const parent = path.slice(0, path.lastIndexOf("/"));
      await mkdir(parent, { recursive: true, mode: FOLDER_OF_OWNER });
      const part = `${path}.${crypto.randomUUID()}${PART}`;
      try {
        await writeDurably(part, bytes);
        await rename(part, path);
      } catch (error) {
        await rm(part, { force: true });
        throw error;
      }
    },
    async list() {
      await mkdir(folder, { recursive: true, mode: FOLDER_OF_OWNER });
      const entries = await readdir(folder, {
        recursive: true,
        withFileTypes: true,
      });
      return entries.filter((each) => each.isFile())
        .map(({ parentPath, name }) => `${parentPath}/${name}`)
        .map((path) => path.slice(folder.length + 1))
        .filter((name) => !name.endsWith(PART)).sort();
    },
    get: async (name) => new Uint8Array(await readFile(`${folder}/${name}`)),
  };
}

async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, "wx", OWNER_ONLY);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}
