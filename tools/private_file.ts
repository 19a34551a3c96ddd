import { ToolFailure } from "./command.ts";

const OWNER_ONLY = 0o600;

/**
 * Writes a file that its owner alone may read, under another name until it is
 * whole and on the disk: under its own name there is never half of one.
 *
 * @throws {ToolFailure} when the file can't be written
 */
export async function writePrivately(
  path: string,
  write: (file: Deno.FsFile) => Promise<void>,
): Promise<void> {
  const part = `${path}.${crypto.randomUUID()}.part`;
  try {
    const options = {
      createNew: true,
      read: true,
      write: true,
      mode: OWNER_ONLY,
    };
    using file = await Deno.open(part, options);
    await write(file);
    await file.sync();
    await Deno.rename(part, path);
  } catch (error) {
    await Deno.remove(part).catch(() => {});
    if (!isOfDisk(error)) throw error;
    const why = error.message.split(":")[0];
    throw new ToolFailure(`Cannot write ${path}: ${why}`, { cause: error });
  }
}

function isOfDisk(error: unknown): error is Error {
  return error instanceof Error && "code" in error;
}
