import { refuse } from "../domain/refusal.ts";

/** A stream kept in a temporary file; disposing removes the file. */
export interface Spool extends AsyncDisposable {
  /** Reads it from its start, as often as is needed. */
  open(): Promise<ReadableStream<Uint8Array>>;
}

/**
 * Keeps a stream so that it can be read twice, as restore has to.
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
  try {
    await Deno.writeFile(path, source.pipeThrough(atMost(maxBytes)));
  } catch (error) {
    await Deno.remove(path);
    throw error;
  }
  return {
    open: async () => (await Deno.open(path)).readable,
    [Symbol.asyncDispose]: () => Deno.remove(path),
  };
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
