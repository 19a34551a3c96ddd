/**
 * The links in mails by which an erasure is confirmed, or called off, by
 * whoever has the mail: signed in or not. They are signed, and good for one
 * request.
 *
 * @module
 */
import type { Keys, Services } from "../ports.ts";
import { sha256Hex } from "../sha256.ts";

/** The page that such links lead to. */
export const ERASURE_LINK_PATH = "/erasure";

/** What a link does. */
export type ErasureAct = "confirm" | "keep";

/** Which erasure a link is about, and what it does. */
export interface ErasureLink {
  accountId: string;
  erasureId: string;
  act: ErasureAct;
  /** The address it was mailed to, as `mailedTo()` names it. */
  to: string;
}

const SHAPE =
  /^(confirm|keep)~([A-Za-z0-9_]{1,64})~([A-Za-z0-9_]{1,64})~([0-9a-f]{64})~([A-Za-z0-9_-]{1,64})~([A-Za-z0-9_-]{43})$/;

/** The address of a link. */
export function erasureUrl(
  { keys, settings }: Pick<Services, "keys" | "settings">,
  link: ErasureLink,
): string {
  const keyId = keys.currentId;
  const { act, accountId, erasureId, to } = link;
  const mac = macOf(keys, link, keyId);
  const parts = [act, accountId, erasureId, to, keyId, mac];
  return `${settings.baseUrl}${ERASURE_LINK_PATH}/${parts.join("~")}`;
}

/** What a link says; null for one that was cut off or is not of ours. */
export function readErasureToken(
  keys: Keys,
  token: string,
): ErasureLink | null {
  const [, act, accountId = "", erasureId = "", to = "", keyId = "", mac = ""] =
    SHAPE.exec(token) ?? [];
  if (act !== "confirm" && act !== "keep") return null;
  const link: ErasureLink = { act, accountId, erasureId, to };
  const expected = macOf(keys, link, keyId);
  // Hashes: how long they are compared tells nothing of what was expected.
  const isOurs = expected !== null && sha256Hex(expected) === sha256Hex(mac);
  return isOurs ? link : null;
}

function macOf(
  keys: Keys,
  { act, accountId, erasureId, to }: ErasureLink,
  keyId: string,
): string | null {
  return keys.mac("erasure", `${act}|${accountId}|${erasureId}|${to}`, keyId);
}
