/** Bytes in one chunk: below the 64 KiB a value may have as stored. */
export const CHUNK_BYTES = 60 * 1_024;
/** Bytes in one chunked value. */
export const MAX_CHUNKED_BYTES = 20 * 1_024 * 1_024;
/** Chunks in one commit: 12 × 60 KiB and their keys are below 800 KiB. */
export const CHUNKS_A_COMMIT = 12;

/** The one row that makes a chunked value exist. */
export interface ChunkManifest {
  name: string;
  attemptId: string;
  chunkCount: number;
  bytes: number;
  /** Of the whole value, hex. */
  sha256: string;
}

/** Someone writes chunks, or died doing so. Removed with the last commit. */
export interface ChunkAttempt {
  attemptId: string;
  name: string;
  chunkCount: number;
  startedAtMs: number;
  /** Once set, no more chunks are written and no manifest can follow. */
  purging: boolean;
}

/** A chunked value that is not what its manifest says. */
export class ChunksCorrupt extends Error {
  override readonly name = "ChunksCorrupt";
}

/** Describes a value before any of it is written. */
export async function describeChunks(
  name: string,
  attemptId: string,
  value: Uint8Array<ArrayBuffer>,
): Promise<ChunkManifest> {
  return {
    name,
    attemptId,
    chunkCount: Math.ceil(value.byteLength / CHUNK_BYTES),
    bytes: value.byteLength,
    sha256: await sha256Hex(value),
  };
}

/** One chunk, in a buffer of its own: a view is stored with all it views. */
export function chunkOf(value: Uint8Array, index: number): Uint8Array {
  return value.slice(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES);
}

/**
 * Refuses a manifest that nothing could have written, before it is believed.
 *
 * @throws {ChunksCorrupt}
 */
export function assertPlausible(manifest: ChunkManifest): void {
  const { name, bytes, chunkCount } = manifest;
  const plausible = Number.isSafeInteger(bytes) && bytes >= 0 &&
    bytes <= MAX_CHUNKED_BYTES && chunkCount >= 0 && chunkCount <= bytes;
  if (!plausible) {
    throw new ChunksCorrupt(`Cannot read "${name}": its manifest is damaged`);
  }
}

/**
 * Joins chunks as they were read, `null` where there was none.
 *
 * @throws {ChunksCorrupt} when they are not the value the manifest describes
 */
export async function joinChunks(
  manifest: ChunkManifest,
  chunks: readonly unknown[],
): Promise<Uint8Array<ArrayBuffer>> {
  const corrupt = (why: string) =>
    new ChunksCorrupt(`Cannot read "${manifest.name}": ${why}`);
  const value = new Uint8Array(manifest.bytes);
  let at = 0;
  for (const [index, chunk] of chunks.entries()) {
    if (!(chunk instanceof Uint8Array)) throw corrupt(`no chunk ${index}`);
    if (at + chunk.byteLength > value.byteLength) throw corrupt("too long");
    value.set(chunk, at);
    at += chunk.byteLength;
  }
  if (at !== manifest.bytes) throw corrupt(`${at} of ${manifest.bytes} bytes`);
  if (await sha256Hex(value) !== manifest.sha256) {
    throw corrupt("its SHA-256 is another");
  }
  return value;
}

async function sha256Hex(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  return new Uint8Array(digest).reduce(
    (hex, byte) => hex + byte.toString(16).padStart(2, "0"),
    "",
  );
}
