import type { Passkey } from "../../domain/passkeys/passkey.ts";
import type { Services } from "../../domain/ports.ts";
import { credentialsOf } from "../../domain/sessions/credentials.ts";
import type { Agent } from "./bidding_world.ts";

/** A passkey by its id, made at a moment. */
export function passkeyOf(id: string, createdAtMs: number): Passkey {
  return {
    id,
    credentialId: `credential-${id}`,
    publicKey: `public-key-${id}`,
    counter: 7_654_321,
    transports: ["internal"],
    aaguid: "ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4",
    backupEligible: true,
    backedUp: true,
    name: `Key ${id}`,
    createdAtMs,
    lastUsedAtMs: null,
  };
}

/** Gives an agent's account passkeys, each made a second after the one before. */
export async function savePasskeys(
  { store, clock }: Pick<Services, "store" | "clock">,
  { account }: { account: Pick<Agent["account"], "id"> },
  ids: readonly string[],
): Promise<void> {
  const nowMs = clock.now();
  await store.transact(async (tx) => {
    const credentials = await credentialsOf(tx, account.id);
    const passkeys = ids.map((id, at) => passkeyOf(id, nowMs + at * 1_000));
    tx.credentials.save({ ...credentials, passkeys });
  });
}
