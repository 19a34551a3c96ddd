import { refuse } from "../../domain/refusal.ts";
import { hmacSha256 } from "../../domain/sha256.ts";
import { isSameText } from "../http/same_text.ts";

/** How a cookie is called, signed and kept. */
export interface SignedCookieOptions {
  name: string;
  /**
   * Keys for this cookie's name and environment alone, so that the value of
   * another cookie never verifies. The first signs, all verify.
   */
  keys: readonly [Uint8Array, ...Uint8Array[]];
  /** Left out on http, which only a developer's machine has. */
  secure: boolean;
  /** How long a browser keeps it, in seconds. */
  maxAgeS: number;
}

/** A cookie whose value only this service can have made. */
export interface SignedCookie {
  /**
   * The value; null when there is none or its signature is not ours.
   *
   * @throws {Refused} `cookie_repeated` when it is sent twice: a neighbouring
   * host can add one of that name, and which is ours is not known
   * @param about what it has to have been set about
   */
  read(request: Request, about?: string): string | null;
  /**
   * The Set-Cookie header that gives the browser a value.
   *
   * @param about what only the signature covers: the cookie does not say it
   */
  set(value: string, about?: string): string;
  /** The Set-Cookie header that takes it away. */
  clear(): string;
}

/** 256 bits, a dot, and the signature of them, both base64url. */
const SHAPE = /^([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]{43})$/;

/** Longer values are none of ours, and are not read to their end. */
const VALUE_MAX = 4_096;

/** Makes the reader and writer of a signed cookie, host-only and HttpOnly. */
export function signedCookie(options: SignedCookieOptions): SignedCookie {
  const { name, keys, secure, maxAgeS } = options;
  const signing = hmacSha256(keys[0]);
  const hmacs = [signing, ...keys.slice(1).map(hmacSha256)];
  const attributes = `Path=/; ${
    secure ? "Secure; " : ""
  }HttpOnly; SameSite=Lax`;
  return {
    read(request, about) {
      const value = cookieValue(request.headers.get("cookie"), name);
      if (value === null) return null;
      const [, text = "", signature = ""] = SHAPE.exec(value) ?? [];
      const isOurs = text !== "" &&
        hmacs.some((hmac) =>
          isSameText(hmac(signedText(text, about), "base64url"), signature)
        );
      return isOurs ? text : null;
    },
    set: (value, about) =>
      `${name}=${value}.${signing(signedText(value, about), "base64url")}; ` +
      `Max-Age=${maxAgeS}; ${attributes}`,
    clear: () => `${name}=; Max-Age=0; ${attributes}`,
  };
}

/** The value is of one length, so the two are never taken for each other. */
function signedText(value: string, about: string | undefined): string {
  return about === undefined ? value : `${value}|${about}`;
}

/**
 * The value of a cookie, whoever set it; null for none. Several Cookie headers
 * arrive as one, joined by semicolons or commas.
 *
 * @throws {Refused} `cookie_repeated` when it is sent twice
 */
export function cookieValue(
  header: string | null,
  name: string,
): string | null {
  if (header === null || !header.includes(name)) return null;
  let found: string | null = null;
  // Only where the name stands: most of what is sent is not looked at.
  for (let at = 0; (at = header.indexOf(`${name}=`, at)) >= 0;) {
    const value = at + name.length + 1;
    if (isPairAt(header, at)) {
      if (found !== null) refuse({ code: "cookie_repeated" });
      found = /^[^;,]*/.exec(header.slice(value, value + VALUE_MAX))?.[0]
        .trim() ?? "";
    }
    at = value;
  }
  return found;
}

/** Whether a cookie begins here, after a separator and at most a few spaces. */
function isPairAt(header: string, at: number): boolean {
  let before = at - 1;
  while (header[before] === " " || header[before] === "\t") before--;
  return before < 0 || header[before] === ";" || header[before] === ",";
}
