import { DatabaseSync } from "node:sqlite";
import { reckoned } from "./arithmetic.ts";
import {
  type Commit,
  MUTATION,
  type Mutation,
  type Range,
} from "./requests.ts";
import { isOneKey } from "./encoded_key.ts";
import { type Bytes, hex, joined, Message } from "./wire.ts";

/** One row of the store. */
export interface Row {
  key: Bytes;
  data: Bytes;
  encoding: number;
  version: number;
}

const SCHEMA = `
  pragma journal_mode = wal;
  pragma synchronous = off;
  create table if not exists kv (
    key blob primary key, data blob not null, encoding integer not null,
    version integer not null, expire_at_ms integer not null
  ) without rowid;
  create index if not exists kv_expiring on kv (expire_at_ms)
    where expire_at_ms >= 0;
`;
const COLUMNS = "select key, data, encoding, version from kv";

/** Versions are not consecutive, so that nobody counts on it. */
const VERSION_STEP = 7n;

/** The rows of one database, over SQLite, as denokv keeps them. */
export class Rows {
  readonly #db: DatabaseSync;
  readonly #up;
  readonly #down;
  readonly #get;
  readonly #put;
  readonly #drop;
  #version: bigint;

  /** Opens a file, or `:memory:`. */
  constructor(file: string) {
    const db = this.#db = new DatabaseSync(file);
    db.exec(SCHEMA);
    const within = `${COLUMNS} where key >= ? and key < ? order by key`;
    this.#up = db.prepare(`${within} limit ?`);
    this.#down = db.prepare(`${within} desc limit ?`);
    this.#get = db.prepare(`${COLUMNS} where key = ?`);
    this.#put = db.prepare("insert or replace into kv values (?,?,?,?,?)");
    this.#drop = db.prepare("delete from kv where key = ?");
    const { newest } = db.prepare("select max(version) as newest from kv")
      .get() as { newest: number | null };
    // Versions of a store that is opened again never come twice.
    this.#version = BigInt(newest ?? 0) + 1_000n;
  }

  /** How many there are. */
  get count(): number {
    const { count } = this.#db.prepare("select count(*) as count from kv")
      .get() as { count: number };
    return count;
  }

  /** The rows of a range, at most as many as it wants. */
  read(range: Range): Row[] {
    const { start, end, limit, reverse } = range;
    if (isOneKey(range)) {
      const row = this.find(start);
      return row === null ? [] : [row];
    }
    const statement = reverse ? this.#down : this.#up;
    return statement.all(start, end, limit) as unknown as Row[];
  }

  /** The row of a key, or null. */
  find(key: Bytes): Row | null {
    return this.#get.get(key) as unknown as Row | undefined ?? null;
  }

  /** The new version, or null when a check failed and nothing was written. */
  commit({ checks, mutations }: Commit): bigint | null {
    for (const { key, version } of checks) {
      const row = this.find(key);
      if ((row === null ? null : BigInt(row.version)) !== version) return null;
    }
    this.#version += VERSION_STEP;
    this.#db.exec("begin immediate");
    try {
      for (const mutation of mutations) this.#apply(mutation);
      this.#db.exec("commit");
    } catch (error) {
      this.#db.exec("rollback");
      throw error;
    }
    return this.#version;
  }

  /** Removes what has expired by then; answers which keys. */
  sweep(nowMs: number): Bytes[] {
    const rows = this.#db.prepare(
      "delete from kv where expire_at_ms >= 0 and expire_at_ms <= ? " +
        "returning key",
    ).all(nowMs) as unknown as { key: Bytes }[];
    return rows.map(({ key }) => key);
  }

  /** Closes the file. */
  close(): void {
    this.#db.close();
  }

  #apply(mutation: Mutation): void {
    const { kind, key, data, encoding, expireAtMs } = mutation;
    switch (kind) {
      case MUTATION.set:
        return this.#write(key, data, encoding, expireAtMs);
      case MUTATION.delete:
        this.#drop.run(key);
        return;
      case MUTATION.setSuffixed: {
        const suffix = `\x02${hex(versionstampOf(this.#version))}\0`;
        const suffixed = joined([key, new TextEncoder().encode(suffix)]);
        return this.#write(suffixed, data, encoding, expireAtMs);
      }
      default: {
        const value = reckoned(mutation, this.find(key));
        return this.#write(key, value.data, value.encoding, -1);
      }
    }
  }

  #write(key: Bytes, data: Bytes, encoding: number, expireAtMs: number): void {
    this.#put.run(key, data, encoding, this.#version, expireAtMs);
  }
}

/** The ten bytes by which clients know a version. */
export function versionstampOf(version: bigint | number): Bytes {
  const bytes = new Uint8Array(10);
  new DataView(bytes.buffer).setBigInt64(0, BigInt(version));
  return bytes;
}

/** A row as answers carry it. */
export function entryOf(row: Row): Bytes {
  return new Message()
    .bytes(1, row.key)
    .bytes(2, row.data)
    .number(3, row.encoding)
    .bytes(4, versionstampOf(row.version))
    .finish();
}
