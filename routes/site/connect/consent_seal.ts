/**
 * What the consent page seals, so that nobody but the page itself can have
 * made it: the token of its form, and the form's state on its way through a
 * repeated sign-in. Both hold for one request in one browser.
 *
 * @module
 */
import { SCOPES } from "../../../domain/oauth/grant.ts";
import type { Keys } from "../../../domain/ports.ts";
import { fromBase64url, toBase64url } from "../../http/base64url.ts";
import { isSameText } from "../../http/same_text.ts";
import type { ConsentDraft } from "./consent_form.ts";

/** The request and browser that a seal holds for. */
export interface SealedFor {
  requestId: string;
  /** Names the browser's stay, which outlasts a repeated sign-in. */
  bindingId: string;
}

/** Makes and checks the seals. */
export interface ConsentSeals {
  /** The token of the form. */
  token(owner: SealedFor): string;
  /** Whether a token is the one of that form. */
  isToken(owner: SealedFor, text: string): boolean;
  /** A draft as it travels in an address. */
  seal(owner: SealedFor, draft: ConsentDraft): string;
  /** The draft again; null when it is another's or not ours. */
  open(owner: SealedFor, text: string): ConsentDraft | null;
}

const SHAPE = /^([A-Za-z0-9_-]{0,1000})\.([a-f0-9]{8})\.([A-Za-z0-9_-]{43})$/;

/** Seals under the service's own keys; those in use before are still known. */
export function consentSeals(keys: Keys): ConsentSeals {
  const macOf = (owner: SealedFor, text: string, keyId: string) =>
    keys.mac(
      "consent-form",
      `${owner.requestId}|${owner.bindingId}|${text}`,
      keyId,
    );
  const sealText = (owner: SealedFor, text: string) => {
    const keyId = keys.currentId;
    return `${text}.${keyId}.${macOf(owner, text, keyId)}`;
  };
  const openText = (owner: SealedFor, sealed: string): string | null => {
    const [, text, keyId, mac] = SHAPE.exec(sealed) ?? [];
    if (text === undefined || keyId === undefined || mac === undefined) {
      return null;
    }
    const expected = macOf(owner, text, keyId);
    return expected !== null && isSameText(expected, mac) ? text : null;
  };
  return {
    token: (owner) => sealText(owner, TOKEN),
    isToken: (owner, text) => openText(owner, text) === TOKEN,
    seal: (owner, draft) => sealText(owner, encode(draft)),
    open(owner, sealed) {
      const text = openText(owner, sealed);
      return text === null || text === TOKEN ? null : decode(text);
    },
  };
}

/** What a token seals; no draft is that short. */
const TOKEN = "form";

function encode({ scopes, ...rest }: ConsentDraft): string {
  const { maxBid, dailyCap, validUntil, viaPage, totalCap } = rest;
  const positions = scopes.map((scope) => SCOPES.indexOf(scope));
  return toBase64url(
    JSON.stringify([
      positions,
      maxBid,
      dailyCap,
      validUntil,
      viaPage,
      totalCap,
    ]),
  );
}

/** Only what was sealed is decoded, so its shape is known. */
function decode(text: string): ConsentDraft {
  const [positions, maxBid, dailyCap, validUntil, viaPage, totalCap = ""] = JSON
    .parse(fromBase64url(text) ?? "") as [
      number[],
      string,
      string,
      string,
      boolean,
      string?,
    ];
  const scopes = SCOPES.filter((_, at) => positions.includes(at));
  return { scopes, maxBid, dailyCap, totalCap, validUntil, viaPage };
}
