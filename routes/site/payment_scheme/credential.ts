import { z } from "zod";
import { parseJson } from "../../../domain/text/parse_json.ts";
import { fromBase64url } from "../../http/base64url.ts";

/**
 * Longest credential that is read, characters of base64url. "A server MUST
 * accept credentials of at least 4 KB."
 */
export const CREDENTIAL_MAX = 8_192;

/** A credential: the challenge as it was received, and what pays. */
export interface Credential {
  challenge: {
    id: string;
    realm: string;
    method: string;
    intent: string;
    request: string;
    expires?: string | undefined;
    digest?: string | undefined;
    /** Ours never has one, whatever its type. */
    opaque?: unknown;
  };
  payload: Record<string, unknown>;
}

const text = z.string().max(CREDENTIAL_MAX);

const credentialShape: z.ZodType<Credential> = z.object({
  challenge: z.object({
    id: text.min(1),
    realm: text,
    method: text,
    intent: text,
    request: text,
    expires: text.optional(),
    digest: text.optional(),
    opaque: z.unknown().optional(),
  }),
  payload: z.record(z.string(), z.unknown()),
});

/** What an Authorization header says in the scheme `Payment`. */
export type CredentialReading =
  | { kind: "none" }
  | { kind: "malformed" }
  | { kind: "credential"; credential: Credential };

/**
 * Reads the scheme `Payment` of an Authorization header, which may name other
 * schemes beside it. Two credentials at once are malformed: nobody can say
 * which of them is meant to pay.
 */
export function readCredential(header: string | null): CredentialReading {
  const texts = (header ?? "").split(",").flatMap((part) => {
    const [scheme = "", ...rest] = part.trim().split(/[ \t]+/);
    return scheme.toLowerCase() === "payment" ? [rest.join(" ")] : [];
  });
  const [text, another] = texts;
  if (text === undefined) return { kind: "none" };
  const credential = another === undefined ? parseCredential(text) : null;
  return credential === null
    ? { kind: "malformed" }
    : { kind: "credential", credential };
}

function parseCredential(text: string): Credential | null {
  if (text.length > CREDENTIAL_MAX) return null;
  const json = fromBase64url(text);
  if (json === null) return null;
  const read = parseJson(json);
  const parsed = credentialShape.safeParse(read.ok ? read.value : null);
  return parsed.success ? parsed.data : null;
}
