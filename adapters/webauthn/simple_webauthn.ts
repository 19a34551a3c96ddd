/**
 * WebAuthn by @simplewebauthn/server: CBOR, COSE and signatures are not to be
 * read by code of one's own.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import type { Passkey } from "../../domain/passkeys/passkey.ts";
import { PASSKEY_CHALLENGE_MS } from "../../domain/passkeys/passkey_challenge.ts";
import type {
  NewCredential,
  PasskeyUse,
  Webauthn,
} from "../../domain/passkeys/webauthn.ts";
import { z } from "zod";
import { parseJson } from "../../domain/text/parse_json.ts";

/** Loading it takes 0.1 to 0.7 s, which only passkeys should cost. */
const library = () => import("@simplewebauthn/server");
const helpers = () => import("@simplewebauthn/server/helpers");

/** What a device calls the site when it asks its user. */
const SITE_NAME = "Spotlight";

/** WebAuthn for the site at `baseUrl`, whose host names the relying party. */
export function simpleWebauthn(baseUrl: string): Webauthn {
  const { origin, hostname: rpID } = new URL(baseUrl);
  return { ...optionsFor(rpID), ...CLAIMS, ...verifierFor({ rpID, origin }) };
}

function optionsFor(
  rpID: string,
): Pick<Webauthn, "registrationOptions" | "assertionOptions"> {
  return {
    async registrationOptions({ challenge, account, passkeys }) {
      const { generateRegistrationOptions } = await library();
      return await generateRegistrationOptions({
        rpName: SITE_NAME,
        rpID,
        userID: bytesOf(account.id, "utf8"),
        userName: account.email,
        userDisplayName: account.email,
        challenge: bytesOf(challenge, "base64url"),
        timeout: PASSKEY_CHALLENGE_MS,
        attestationType: "none",
        authenticatorSelection: {
          residentKey: "required",
          userVerification: "required",
        },
        excludeCredentials: passkeys.map(descriptorOf),
      });
    },
    async assertionOptions(challenge) {
      const { generateAuthenticationOptions } = await library();
      return await generateAuthenticationOptions({
        rpID,
        challenge: bytesOf(challenge, "base64url"),
        timeout: PASSKEY_CHALLENGE_MS,
        userVerification: "required",
        allowCredentials: [],
      });
    },
  };
}

const CLAIMS: Pick<Webauthn, "challengeOf" | "assertionOf"> = {
  challengeOf(response) {
    const { data } = registrationSchema.safeParse(response);
    return data === undefined ? null : challengeIn(data);
  },
  assertionOf(response) {
    const { data } = signedAssertionSchema.safeParse(response);
    const challenge = data === undefined ? null : challengeIn(data);
    if (data === undefined || challenge === null) return null;
    const accountId = textOf(data.response.userHandle);
    return { challenge, credentialId: data.id, accountId };
  },
};

function verifierFor(
  { rpID, origin }: { rpID: string; origin: string },
): Pick<Webauthn, "verifyRegistration" | "verifyAssertion"> {
  const expected = {
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: true,
  };
  return {
    verifyRegistration(response, expectedChallenge) {
      return truthOf(async () => {
        const { verifyRegistrationResponse } = await library();
        const sent = await withoutStatement(registrationSchema.parse(response));
        const { verified, registrationInfo } = await verifyRegistrationResponse(
          { ...expected, expectedChallenge, response: sent },
        );
        return verified ? newCredential(registrationInfo, sent) : null;
      });
    },
    verifyAssertion(response, expectedChallenge, passkey) {
      return truthOf(async () => {
        const { verifyAuthenticationResponse } = await library();
        const result = await verifyAuthenticationResponse({
          ...expected,
          expectedChallenge,
          response: signedAssertionSchema.parse(response),
          credential: {
            id: passkey.credentialId,
            publicKey: bytesOf(passkey.publicKey, "base64url"),
            counter: passkey.counter,
          },
        });
        return result.verified ? passkeyUse(result.authenticationInfo) : null;
      });
    },
  };
}

/** The library throws at what is not true; a caller only learns that. */
async function truthOf<T>(verify: () => Promise<T | null>): Promise<T | null> {
  try {
    return await verify();
  } catch {
    return null;
  }
}

/**
 * A registration as if its device had made no statement about itself. We ask for
 * none (decision 0061), but what is sent may hold one all the same, and the
 * library would believe its certificates far enough to fetch the lists of revoked
 * ones that they name, from anywhere and without a bound.
 */
async function withoutStatement(sent: Registration): Promise<Registration> {
  const { decodeAttestationObject, isoCBOR } = await helpers();
  const { attestationObject } = sent.response;
  const decoded = decodeAttestationObject(
    bytesOf(attestationObject, "base64url"),
  );
  const bare = isoCBOR.encode(
    new Map<string, Parameters<typeof isoCBOR.encode>[0]>([
      ["fmt", "none"],
      ["attStmt", new Map()],
      ["authData", decoded.get("authData")],
    ]),
  );
  const object = Buffer.from(bare).toString("base64url");
  return { ...sent, response: { ...sent.response, attestationObject: object } };
}

type Verified = Awaited<
  ReturnType<
    typeof import("@simplewebauthn/server")["verifyRegistrationResponse"]
  >
>["registrationInfo"];

/** Null for a key under another id than was said, or larger than any is. */
function newCredential(
  info: NonNullable<Verified>,
  sent: Registration,
): NewCredential | null {
  const { credential, aaguid } = info;
  const publicKey = Buffer.from(credential.publicKey).toString("base64url");
  if (credential.id !== sent.id || publicKey.length > PUBLIC_KEY_MAX) {
    return null;
  }
  return {
    credentialId: credential.id,
    publicKey,
    counter: credential.counter,
    transports: sent.response.transports ?? [],
    aaguid,
    backupEligible: info.credentialDeviceType === "multiDevice",
    backedUp: info.credentialBackedUp,
  };
}

function passkeyUse(info: {
  newCounter: number;
  credentialDeviceType: string;
  credentialBackedUp: boolean;
}): PasskeyUse {
  return {
    counter: info.newCounter,
    backupEligible: info.credentialDeviceType === "multiDevice",
    backedUp: info.credentialBackedUp,
  };
}

function descriptorOf(
  { credentialId, transports }: Passkey,
): { id: string; transports: string[] } {
  return { id: credentialId, transports: [...transports] };
}

function challengeIn(sent: Registration | SignedAssertion): string | null {
  return clientDataOf(textOf(sent.response.clientDataJSON))?.challenge ?? null;
}

function bytesOf(
  text: string,
  encoding: "utf8" | "base64url",
): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(text, encoding));
}

function textOf(base64url: string): string {
  return Buffer.from(base64url, "base64url").toString("utf8");
}

/** Longest credential id (WebAuthn §4), in base64url. */
const CREDENTIAL_ID_MAX = 1_364;

/** Longest key, in base64url: ML-DSA-87, the largest there is, takes 3,500. */
const PUBLIC_KEY_MAX = 4_096;

/** Longest part of a response, in base64url; a whole request has 16 KiB. */
const PART_MAX = 16_384;

const base64url = z.string().regex(/^[A-Za-z0-9_-]+$/).max(PART_MAX);
const credentialId = base64url.max(CREDENTIAL_ID_MAX);

/** `RegistrationResponseJSON` of WebAuthn §5.1.8, as far as it is read. */
const registrationSchema = z.object({
  id: credentialId,
  rawId: credentialId,
  type: z.literal("public-key"),
  clientExtensionResults: z.object({}),
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: z.array(z.string().max(20).regex(/^[a-z-]{1,20}$/)).max(10)
      .exactOptional(),
  }),
});

/** A response to the wish for a new key. */
type Registration = z.output<typeof registrationSchema>;

/**
 * `AuthenticationResponseJSON` of WebAuthn §5.1.8; discoverable keys always
 * come with the handle of their user.
 */
const signedAssertionSchema = z.object({
  id: credentialId,
  rawId: credentialId,
  type: z.literal("public-key"),
  clientExtensionResults: z.object({}),
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: base64url,
  }),
});

/** A signed challenge. */
type SignedAssertion = z.output<typeof signedAssertionSchema>;

const clientDataSchema = z.object({ challenge: base64url.max(100) });

/** The challenge within the text of a clientDataJSON; null when it has none. */
function clientDataOf(text: string): { challenge: string } | null {
  const read = parseJson(text);
  return clientDataSchema.safeParse(read.ok ? read.value : null).data ?? null;
}
