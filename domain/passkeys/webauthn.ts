import type { Passkey } from "./passkey.ts";

/** What a device said of a new key, found to be true. */
export type NewCredential = Pick<
  Passkey,
  | "credentialId"
  | "publicKey"
  | "counter"
  | "transports"
  | "aaguid"
  | "backupEligible"
  | "backedUp"
>;

/** What a device said when it signed, not yet found to be true. */
export interface Assertion {
  challenge: string;
  credentialId: string;
  /** The account that the key was made for, as the device remembers it. */
  accountId: string;
}

/** What a device said when it signed, found to be true. */
export type PasskeyUse = Pick<
  Passkey,
  "counter" | "backupEligible" | "backedUp"
>;

/**
 * The WebAuthn protocol: bytes, formats and signatures, of one relying party.
 * Keys are discoverable, users verified, attestation is not asked for. Options
 * and responses are the JSON of the standard, as browsers make and take it.
 */
export interface Webauthn {
  /** What a browser needs to make a key; none that the account has. */
  registrationOptions(input: {
    challenge: string;
    account: { id: string; email: string };
    passkeys: readonly Passkey[];
  }): Promise<unknown>;
  /** What a browser needs to sign with any key of this site. */
  assertionOptions(challenge: string): Promise<unknown>;
  /** The challenge that a response answers; null when it is none. */
  challengeOf(response: unknown): string | null;
  /** The claims of a signed response; null when it is none. */
  assertionOf(response: unknown): Assertion | null;
  /** Null when anything about the new key is not as it has to be. */
  verifyRegistration(
    response: unknown,
    challenge: string,
  ): Promise<NewCredential | null>;
  /** Null when anything about the signature is not as it has to be. */
  verifyAssertion(
    response: unknown,
    challenge: string,
    passkey: Passkey,
  ): Promise<PasskeyUse | null>;
}
