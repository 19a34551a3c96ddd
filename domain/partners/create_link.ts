import { commitOnce, made } from "../idempotency/answer_once.ts";
import type { Binding } from "../idempotency/replay.ts";
import type { Ids, Services } from "../ports.ts";
import { refuse } from "../refusal.ts";
import { readText } from "../text/read_text.ts";
import { LINKS_MAX } from "./limits.ts";
import type { ReferralLink } from "./referral_link.ts";

/** How long a link's name may be, code points. */
export const LINK_NAME = { min: 1, max: 60 };
/** Characters of a code: 60 bits, so that none is found by trying. */
const CODE_LENGTH = 12;
const CODE_SHAPE = /^[a-z0-9]{12}$/;

/** A code that no link has. */
export function newCode(ids: Pick<Ids, "next">): string {
  return ids.next("").slice(-CODE_LENGTH);
}

/** A code as an address has it; null for anything else. */
export function parseCode(text: string | null): string | null {
  return text !== null && CODE_SHAPE.test(text) ? text : null;
}

/** A link that counts from now on. */
export function newLink(
  link: Pick<ReferralLink, "code" | "partnerId" | "name">,
  createdAtMs: number,
): ReferralLink {
  return { ...link, state: "active", createdAtMs, endedAtMs: null };
}

/**
 * Makes a further link for an approved partner, once for each binding.
 *
 * @throws {Refused} `partner_required`; `invalid_input` for a name that is not
 * plain text, and beyond 50 links
 */
export async function createLink(
  { store, clock, ids }: Pick<Services, "store" | "clock" | "ids">,
  { partnerId, name: typed, binding }: {
    partnerId: string;
    name: string;
    binding: Binding | null;
  },
): Promise<ReferralLink> {
  const name = readText(typed, LINK_NAME, "Cannot name the link");
  const code = newCode(ids); // outside: attempts share it
  const { value } = await commitOnce({ store, clock }, binding, async (
    tx,
    nowMs,
  ) => {
    const partner = await tx.partners.find(partnerId);
    if (partner?.state !== "approved") refuse({ code: "partner_required" });
    if (partner.links >= LINKS_MAX) {
      const message =
        `Cannot make another link: there are ${LINKS_MAX}, ended ones included`;
      refuse({ code: "invalid_input", message });
    }
    const link = newLink({ code, partnerId, name }, nowMs);
    tx.referralLinks.save(link);
    tx.partners.save({ ...partner, links: partner.links + 1 });
    return made(link);
  });
  return value;
}
