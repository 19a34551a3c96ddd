import { Buffer } from "node:buffer";
import {
  createHash,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from "node:crypto";
import { TEST_BASE_URL } from "./public_spotlights.ts";

/** How a device and its browser may behave otherwise than they should. */
export interface DeviceChoices {
  origin?: string;
  rpId?: string;
  userVerified?: boolean;
  /** What its counter says; it counts by itself when left out. */
  counter?: number;
  backupEligible?: boolean;
  /** Another account than the key was made for. */
  accountId?: string;
  /** Another challenge than the one in the options. */
  challenge?: string;
}

/** The options of both ceremonies, as far as a device reads them. */
interface Options {
  challenge: string;
  user?: { id: string };
}

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const BACKUP_ELIGIBLE = 0x08;
const HAS_KEY = 0x40;

/** A device with one discoverable ES256 key, and the browser around it. */
export class SoftAuthenticator {
  readonly credentialId: string = base64url(randomBytes(16));
  readonly #privateKey: KeyObject;
  readonly #coseKey: Uint8Array;
  #userHandle = "";
  #counter = 0;

  constructor() {
    const pair = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const { x = "", y = "" } = pair.publicKey.export({ format: "jwk" });
    this.#privateKey = pair.privateKey;
    this.#coseKey = Buffer.concat([
      // {1: EC2, 3: ES256, -1: P-256, -2: x, -3: y}
      Buffer.from("a5010203262001215820", "hex"),
      Buffer.from(x, "base64url"),
      Buffer.from("225820", "hex"),
      Buffer.from(y, "base64url"),
    ]);
  }

  /** Makes the key: `RegistrationResponseJSON`. */
  create(options: unknown, choices: DeviceChoices = {}): unknown {
    const { challenge, user } = options as Options;
    this.#userHandle = user?.id ?? "";
    const id = Buffer.from(this.credentialId, "base64url");
    const authData = Buffer.concat([
      this.#head(choices, HAS_KEY),
      new Uint8Array(16),
      Buffer.from([0, id.byteLength]),
      id,
      this.#coseKey,
    ]);
    const attestationObject = Buffer.concat([
      // {fmt: "none", attStmt: {}, authData}
      Buffer.from("a363666d74646e6f6e656761747453746d74a0", "hex"),
      Buffer.from("68617574684461746158", "hex"),
      Buffer.from([authData.byteLength]),
      authData,
    ]);
    return this.#response({
      clientDataJSON: clientData("webauthn.create", challenge, choices),
      attestationObject: base64url(attestationObject),
      transports: ["internal"],
    });
  }

  /** Signs a challenge: `AuthenticationResponseJSON`. */
  get(options: unknown, choices: DeviceChoices = {}): unknown {
    const { challenge } = options as Options;
    const authData = this.#head(choices, 0);
    const clientDataJSON = clientData("webauthn.get", challenge, choices);
    const hash = sha256(Buffer.from(clientDataJSON, "base64url"));
    const signed = Buffer.concat([authData, hash]);
    const { accountId } = choices;
    return this.#response({
      clientDataJSON,
      authenticatorData: base64url(authData),
      signature: base64url(sign("sha256", signed, this.#privateKey)),
      userHandle: accountId === undefined
        ? this.#userHandle
        : base64url(Buffer.from(accountId)),
    });
  }

  #head(choices: DeviceChoices, flags: number): Uint8Array {
    const { rpId = new URL(TEST_BASE_URL).hostname } = choices;
    const { userVerified = true, backupEligible = false } = choices;
    this.#counter += 1;
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(choices.counter ?? this.#counter);
    const all = flags | USER_PRESENT | (userVerified ? USER_VERIFIED : 0) |
      (backupEligible ? BACKUP_ELIGIBLE : 0);
    return Buffer.concat([sha256(Buffer.from(rpId)), Buffer.of(all), counter]);
  }

  #response(response: Readonly<Record<string, unknown>>): unknown {
    return {
      id: this.credentialId,
      rawId: this.credentialId,
      type: "public-key",
      clientExtensionResults: {},
      authenticatorAttachment: "platform",
      response,
    };
  }
}

function clientData(
  type: string,
  challenge: string,
  choices: DeviceChoices,
): string {
  const { origin = TEST_BASE_URL } = choices;
  const data = {
    type,
    challenge: choices.challenge ?? challenge,
    origin,
    crossOrigin: false,
  };
  return base64url(Buffer.from(JSON.stringify(data)));
}

function sha256(bytes: Uint8Array): Uint8Array {
  return createHash("sha256").update(bytes).digest();
}

function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64url");
}
