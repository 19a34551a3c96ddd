import { isoOrNull, isoTime } from "../day.ts";
import type { Passkey } from "./passkey.ts";

/** A passkey as the agent API shows it. */
export interface PasskeyRecord {
  id: string;
  name: string;
  /** Whether the person's other devices have it, too. */
  synced: boolean;
  created_at: string;
  last_used_at: string | null;
}

/** The members of a passkey: no key, and no name that devices know it by. */
export function toPasskeyRecord(
  { id, name, backedUp, createdAtMs, lastUsedAtMs }: Passkey,
): PasskeyRecord {
  return {
    id,
    name,
    synced: backedUp,
    created_at: isoTime(createdAtMs),
    last_used_at: isoOrNull(lastUsedAtMs),
  };
}
