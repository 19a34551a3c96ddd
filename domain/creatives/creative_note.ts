import type { WriteTable } from "../tables.ts";
import type { Creative, Rejection } from "./creative.ts";

/** Who did something about a creative. */
export type CreativeActor =
  /** Its owner: in the browser, or through an agent under a grant. */
  | { kind: "advertiser"; grantId: string | null }
  /** An operator at the desk. */
  | { kind: "operator"; accountId: string }
  /** Whoever holds the key of the operator API. */
  | { kind: "operator_key" };

/** Who decides at the desk. */
export type Reviewer = Exclude<CreativeActor, { kind: "advertiser" }>;

/** Something that happened to a creative. */
export type CreativeEvent =
  | "created"
  | "submitted"
  | "approved"
  | "rejected"
  | "approval_withdrawn"
  | "archived";

/** One line of the append-only history of a creative. */
export interface CreativeNote {
  adId: string;
  /** Counts from 1. */
  number: number;
  event: CreativeEvent;
  by: CreativeActor;
  atMs: number;
  /** Why it was turned down; null where it was not. */
  rejection: Rejection | null;
}

/** A creative as it is saved with one more line of its history. */
export function saveWithNote(
  tx: {
    creatives: WriteTable<Creative>;
    creativeNotes: WriteTable<CreativeNote>;
  },
  creative: Creative,
  note: Pick<CreativeNote, "event" | "by" | "atMs"> & {
    rejection?: Rejection;
  },
): Creative {
  const number = (creative.notes ?? 0) + 1;
  const { event, by, atMs, rejection = null } = note;
  const saved = { ...creative, notes: number };
  tx.creatives.save(saved);
  const { adId } = creative;
  tx.creativeNotes.save({ adId, number, event, by, atMs, rejection });
  return saved;
}
