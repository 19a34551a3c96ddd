// @ts-check
import { Refused } from "../../api/client.js";

/** How many of the newest advertisements are looked at. */
const LOOKED_AT = 50;

/**
 * @typedef {import("../../generated/types.d.ts").Creative} Creative
 * @typedef {import("../../generated/types.d.ts").CreateCreative} Copy
 */

/**
 * A draft of the very same words, among the newest: who was told no after it
 * was written, and runs the same again, wants that one, and no second.
 *
 * @param {import("../session.js").Client} client
 * @param {Partial<Copy>} copy
 * @returns {Promise<Creative | null>}
 */
export async function draftOf(client, copy) {
  try {
    const query = { limit: LOOKED_AT };
    const { items } = await client.call("listCreatives", { query });
    return items.find((ad) => ad.state === "draft" && says(ad, copy)) ?? null;
  } catch (thrown) {
    // Who may write and not read goes on without.
    const mayNot = thrown instanceof Refused && thrown.status === 403;
    if (!mayNot) throw thrown;
    return null;
  }
}

/**
 * Whether these words are kept as those: in NFC, without white space around
 * them, and an address as browsers write it.
 *
 * @param {Creative} ad
 * @param {Partial<Copy>} copy
 */
function says(ad, { headline = "", description = "", target_url = "" }) {
  return ad.headline === plain(headline) &&
    ad.description === plain(description) &&
    URL.canParse(target_url) && ad.target_url === new URL(target_url).href;
}

/** @param {string} text */
function plain(text) {
  return text.trim().normalize("NFC");
}
