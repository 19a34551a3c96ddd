import { z } from "zod";
import { parseJson } from "../../domain/text/parse_json.ts";

/** Longest credential id (WebAuthn §4), in base64url. */
const CREDENTIAL_ID_MAX = 1_364;

/** Longest part of a response, in base64url; a whole request has 16 KiB. */
const PART_MAX = 16_384;

const base64url = z.string().regex(/^[A-Za-z0-9_-]+$/).max(PART_MAX);
const credentialId = base64url.max(CREDENTIAL_ID_MAX);

/** `RegistrationResponseJSON` of WebAuthn §5.1.8, as far as it is read. */
export const registrationSchema = z.object({
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
export type Registration = z.output<typeof registrationSchema>;

/**
 * `AuthenticationResponseJSON` of WebAuthn §5.1.8; discoverable keys always
 * come with the handle of their user.
 */
export const signedAssertionSchema = z.object({
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
export type SignedAssertion = z.output<typeof signedAssertionSchema>;

const clientDataSchema = z.object({ challenge: base64url.max(100) });

/** The challenge within the text of a clientDataJSON; null when it has none. */
export function clientDataOf(text: string): { challenge: string } | null {
  const read = parseJson(text);
  return clientDataSchema.safeParse(read.ok ? read.value : null).data ?? null;
}
