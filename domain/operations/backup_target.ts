/** Where continuous backups are kept: a folder, or a bucket on another machine. */
export interface BackupTarget {
  /** Keeps an object whole or not at all, and instead of one of its name. */
  put(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  /** The names of all objects, in order. */
  list(): Promise<string[]>;
  get(name: string): Promise<Uint8Array<ArrayBuffer>>;
}

/** What a turn of writing backups came to. */
export type BackupRun =
  | "off"
  /** Another process is at it. */
  | "elsewhere"
  /** The place holds another store's backups: none was begun. */
  | "other_store"
  /** A full backup was written, from which files of changes go on. */
  | "begun"
  /** What has changed since the last turn was written. */
  | "written"
  /** Nothing has changed. */
  | "unchanged";
