import { systemClock } from "../adapters/time/system_time.ts";
import type { Clock, Keys } from "../domain/ports.ts";
import { refuse } from "../domain/refusal.ts";
import { backupHeader, lineHash, rowLine } from "./backup_format.ts";
import { trailerLine } from "./backup_trailer.ts";
import { DEFAULT_PATIENCE, type Patience } from "./guard.ts";
import { keys } from "./keys.ts";
import type { KvLike } from "./kv_like.ts";
import { PAGE, type PageReader, persistentPages } from "./pages.ts";
import { readSchema } from "./schema.ts";

/** Characters collected before they are sent on. */
const SEND_AT = 65_536;

/** How a store is dumped. */
export interface DumpOptions {
  /** Sign it; null: nobody does. */
  keys: Keys | null;
  /** Says when the dump begins; the machine's unless given. */
  clock?: Clock;
  patience?: Patience;
  /** Rows read in one round trip, and held in memory. */
  pageRows?: number;
}

/**
 * The whole store as NDJSON, see `backup_format.ts`, but for what is ephemeral.
 * It is read page by page, as fast as the stream is; then its versions are
 * read a second time. When no row has another, all rows were so at the moment
 * in between, and the trailer says `consistent`.
 *
 * The stream ends in an error when the store does, and what was written until
 * then is refused by restore.
 */
export function dump(
  kv: KvLike,
  options: DumpOptions,
): ReadableStream<Uint8Array> {
  const { keys, clock = systemClock, pageRows = PAGE } = options;
  const reader = { kv, patience: options.patience ?? DEFAULT_PATIENCE };
  const lines = backupLines(reader, keys, clock.now(), pageRows);
  return ReadableStream.from(inChunks(lines));
}

async function* backupLines(
  reader: PageReader,
  signing: Keys | null,
  startedAtMs: number,
  pageRows: number,
): AsyncGenerator<string, void> {
  const hash = lineHash();
  const versions = lineHash();
  let rows = 0;
  const { row: { readableFrom } } = await readSchema(
    reader.kv,
    reader.patience,
  );
  const keyId = signing?.currentId ?? null;
  const header = backupHeader({ startedAtMs, readableFrom, keyId });
  hash.add(header);
  yield header;
  for await (const page of persistentPages(reader, pageRows)) {
    for (const entry of page) {
      refuseUnfinished(entry.key);
      const line = rowLine(entry);
      hash.add(line);
      versions.add(entry.versionstamp);
      rows += 1;
      yield line;
    }
  }
  // A row removed and another added would both have to be new: versionstamps
  // are never given twice, so their sequence says it all.
  const again = await versionsHash(reader, pageRows);
  const consistent = versions.end() === again;
  yield trailerLine({ rows, consistent, sha256: hash.end() }, signing);
}

async function versionsHash(
  reader: PageReader,
  pageRows: number,
): Promise<string> {
  const versions = lineHash();
  for await (const page of persistentPages(reader, pageRows)) {
    for (const { versionstamp } of page) versions.add(versionstamp);
  }
  return versions.end();
}

function refuseUnfinished(key: Deno.KvKey): void {
  if (key[0] !== keys.unfinishedRestore()[0]) return;
  refuse({
    code: "invalid_input",
    message: "Cannot back up the store: its restore is not finished",
  });
}

async function* inChunks(
  lines: AsyncIterable<string>,
): AsyncGenerator<Uint8Array, void> {
  const encoder = new TextEncoder();
  let text = "";
  for await (const line of lines) {
    text += `${line}\n`;
    if (text.length < SEND_AT) continue;
    yield encoder.encode(text);
    text = "";
  }
  yield encoder.encode(text);
}
