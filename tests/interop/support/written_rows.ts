import type { KvLike } from "../../../kv/kv_like.ts";

/** One row as it was once written, as text. */
export interface WrittenRow {
  family: string;
  text: string;
}

/** A store that keeps every version of every row that is written to it. */
export interface RecordedKv {
  kv: KvLike;
  written: WrittenRow[];
}

/** Records what is written, whether or not it is committed or stays. */
export function recordWrites(kv: KvLike): RecordedKv {
  const written: WrittenRow[] = [];
  return {
    written,
    kv: {
      ...kv,
      atomic() {
        const atomic = kv.atomic();
        return {
          check: (...checks) => atomic.check(...checks),
          set(key, value, options) {
            written.push(rowOf(key, value));
            return atomic.set(key, value, options);
          },
          delete: (key) => atomic.delete(key),
          sum: (key, count) => atomic.sum(key, count),
          commit: () => atomic.commit(),
        };
      },
    },
  };
}

/** Every row of the store as it is now. */
export async function presentRows(kv: KvLike): Promise<WrittenRow[]> {
  const rows: WrittenRow[] = [];
  for await (const { key, value } of kv.list({ prefix: [] })) {
    rows.push(rowOf(key, value));
  }
  return rows;
}

function rowOf(key: Deno.KvKey, value: unknown): WrittenRow {
  return { family: String(key[0]), text: `${textOf(key)} ${textOf(value)}` };
}

function textOf(value: unknown): string {
  return JSON.stringify(value, (_, part) => {
    if (part instanceof Uint8Array) return latin1.decode(part);
    return typeof part === "bigint" ? String(part) : part;
  });
}

/** One character a byte, so that text in bytes is found as text. */
const latin1 = new TextDecoder("latin1");
