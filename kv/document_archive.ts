import { InvariantBroken } from "../domain/invariant.ts";
import {
  ArchiveRefused,
  type DocumentArchive,
  type StoredDocument,
} from "../domain/invoices/document_archive.ts";
import { type ChunkManifest, MAX_CHUNKED_BYTES } from "./chunk_manifest.ts";
import type { ChunkedValues } from "./chunked_values.ts";
import { isMisuse } from "./guard.ts";

/** The archive of documents over chunked values. */
export function documentArchive(values: ChunkedValues): DocumentArchive {
  return {
    maxBytes: MAX_CHUNKED_BYTES,
    async describe(name) {
      const manifest = await values.describe(name);
      return manifest === null ? null : toStored(manifest);
    },
    async store(name, document) {
      try {
        const { manifest } = await values.store(name, document);
        return toStored(manifest);
      } catch (error) {
        if (!isForGood(error)) throw error;
        throw new ArchiveRefused("Cannot store the document", { cause: error });
      }
    },
    read: (name) => values.read(name),
    purge: (startedBeforeMs, limit) => values.purge(startedBeforeMs, limit),
  };
}

/** Too large, no possible name, or refused as such by the store. */
function isForGood(error: unknown): boolean {
  return error instanceof InvariantBroken || isMisuse(error);
}

function toStored({ bytes, sha256 }: ChunkManifest): StoredDocument {
  return { bytes, sha256 };
}
