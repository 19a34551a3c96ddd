/**
 * The links in mails by which an erasure is confirmed, or called off, by
 * whoever has the mail: signed in or not. They are signed, and good for one
 * request.
 *
 * @module
 */
import type { Keys, Services } from "../ports.ts";
import { readSignedText, signedText } from "../text/signed_text.ts";

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

/** The address of a link. */
export function erasureUrl(
  { keys, settings }: Pick<Services, "keys" | "settings">,
  link: ErasureLink,
): string {
  const { act, accountId, erasureId, to } = link;
  const parts = [act, accountId, erasureId, to];
  const token = signedText(keys, "erasure", parts);
  return `${settings.baseUrl}${ERASURE_LINK_PATH}/${token}`;
}

/** What a link says; null for one that was cut off or is not of ours. */
export function readErasureToken(
  keys: Keys,
  token: string,
): ErasureLink | null {
  const parts = readSignedText(keys, "erasure", { text: token, count: 4 });
  if (parts === null) return null;
  const [act, accountId = "", erasureId = "", to = ""] = parts;
  if (act !== "confirm" && act !== "keep") return null;
  return { act, accountId, erasureId, to };
}
