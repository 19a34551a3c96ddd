import { mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { StoreUnavailable } from "../../domain/failure.ts";
import type { BackupTarget } from "../../domain/operations/backup_target.ts";

const OWNER_ONLY = 0o600;
const FOLDER_OF_OWNER = 0o700;
const PART = ".part";

/**
 * Keeps backups in a folder, in files of their owner's alone. A file is written
 * under another name until it is on the disk. However the folder is spelled, no
 * name is made by cutting a path.
 *
 * @throws {StoreUnavailable} when the disk does not do what it is asked for
 */
export function folderTarget(folder: string): BackupTarget {
  return {
    put: (name, bytes) =>
      onDisk(async () => {
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
      }),
    list: () =>
      onDisk(async () => {
        const names: string[] = [];
        for (const series of await entriesOf(folder)) {
          if (!series.isDirectory()) continue;
          const files = await entriesOf(`${folder}/${series.name}`);
          names.push(
            ...files.filter((file) => file.isFile())
              .map((file) => `${series.name}/${file.name}`)
              .filter((name) => !name.endsWith(PART)),
          );
        }
        return names.sort();
      }),
    get: (name) =>
      onDisk(async () => new Uint8Array(await readFile(`${folder}/${name}`))),
  };
}

/** None of a folder that is not there. */
async function entriesOf(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") {
      return [];
    }
    throw error;
  }
}

async function onDisk<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const why = cause instanceof Error && "code" in cause
      ? String(cause.code)
      : String(cause);
    const message = `The folder of the backups can't be used: ${why}`;
    throw new StoreUnavailable(message, { cause });
  }
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
