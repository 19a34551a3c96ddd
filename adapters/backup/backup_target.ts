import type { BackupTarget } from "../../domain/operations/backup_target.ts";
import { folderTarget } from "./folder_target.ts";
import { type S3Options, s3Target } from "./s3_target.ts";

/** Where backups go: a folder here, or a bucket. */
export type BackupPlace =
  | { kind: "folder"; path: string }
  | S3Options & { kind: "bucket" };

/** Opens the place. */
export function backupTarget(place: BackupPlace): BackupTarget {
  return place.kind === "folder" ? folderTarget(place.path) : s3Target(place);
}
