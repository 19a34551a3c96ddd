/** Passkeys an account may have; a person has a few devices. */
export const PASSKEYS_MAX = 20;
/** Characters of their ids and keys: one row holds all that an account has. */
const PASSKEY_CHARACTERS_MAX = 40_000;

/** A public key of a person's device, with what the device says of it. */
export interface Passkey {
  id: string;
  /** What the device calls the key, base64url. */
  credentialId: string;
  /** The public key, COSE in base64url. */
  publicKey: string;
  /** Counts uses, where the device counts; a copy of the key falls behind. */
  counter: number;
  transports: readonly string[];
  /** The model of the authenticator, a UUID; zeros where it does not say. */
  aaguid: string;
  /** Whether the key may be copied to the person's other devices. */
  backupEligible: boolean;
  /** Whether it has been. */
  backedUp: boolean;
  name: string;
  createdAtMs: number;
  lastUsedAtMs: number | null;
}

/** Whose passkey a credential id is. */
export interface PasskeyOwner {
  credentialId: string;
  accountId: string;
}

/** What a device is asked to sign, once. */
export interface PasskeyChallenge {
  /** SHA-256 of the challenge, hex. */
  hash: string;
  purpose: "register" | "sign_in";
  /**
   * Keeps it to one browser: the hash of its session, or of the secret in its
   * sign-in cookie.
   */
  browserHash: string;
  expiresAtMs: number;
}

/** Whether an account that has these can take no other. */
export function isFull(
  passkeys: readonly Pick<Passkey, "credentialId" | "publicKey">[],
): boolean {
  const characters = passkeys.reduce(
    (sum, { credentialId, publicKey }) =>
      sum + credentialId.length + publicKey.length,
    0,
  );
  return passkeys.length >= PASSKEYS_MAX ||
    characters >= PASSKEY_CHARACTERS_MAX;
}
