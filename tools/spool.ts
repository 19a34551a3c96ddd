import { refuse } from "../domain/refusal.ts";

const PIECE_BYTES = 65_536;

/** A stream kept in a temporary file, which is gone when it is disposed. */
export interface Spool extends AsyncDisposable {
  /** Reads it from its start, as often as is needed, one reading at a time. */
  open(): Promise<ReadableStream<Uint8Array>>;
}

/**
 * Keeps a stream so that it can be read twice, as restore has to. The file loses
 * its name at once: nothing is left of it, however the process ends.
 *
 * @throws {Refused} `invalid_input` when it is longer than `maxBytes`
 */
export async function spool(
  source: ReadableStream<Uint8Array>,
  maxBytes: number,
  directory?: string,
): Promise<Spool> {
  const path = await Deno.makeTempFile({
    prefix: "spotlight_spool_",
    ...directory === undefined ? {} : { dir: directory },
  });
  const file = await Deno.open(path, { read: true, write: true });
  await Deno.remove(path);
  const kept = {
    open: async () => {
      await file.seek(0, Deno.SeekMode.Start);
      return fromHere(file);
    },
    [Symbol.asyncDispose]: () => Promise.resolve(file.close()),
  };
  try {
    for await (const bytes of source.pipeThrough(atMost(maxBytes))) {
      await writeAll(file, bytes);
    }
  } catch (error) {
    file.close();
    throw error;
  }
  return kept;
}

async function writeAll(file: Deno.FsFile, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) {
    at += await file.write(bytes.subarray(at));
  }
}

/** What is left of a file, which stays open. */
function fromHere(file: Deno.FsFile): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const bytes = new Uint8Array(PIECE_BYTES);
      const read = await file.read(bytes);
      if (read === null) controller.close();
      else controller.enqueue(bytes.subarray(0, read));
    },
  });
}

function atMost(maxBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) {
        refuse({
          code: "invalid_input",
          message: `Cannot read the upload: it has more than ${maxBytes} bytes`,
        });
      }
      controller.enqueue(chunk);
    },
  });
}
