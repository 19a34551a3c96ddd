/**
 * What advertisements may not be. Published with the developers' guide; each
 * rejection names one of them.
 *
 * @module
 */

/** A rule that advertisements keep, and what a rejection by it says. */
export interface Policy {
  title: string;
  /** The rule, in a sentence for advertisers. */
  rule: string;
  /** What to do about it, unless the reviewer says it better. */
  remedy: string;
}

/** Every policy by its id. An id once published keeps its meaning. */
export const POLICIES = {
  agent_instructions: {
    title: "Instructions to software agents",
    rule: "Copy speaks to people. It must not instruct, address or try to " +
      "steer software agents, language models or other programs, openly or " +
      "hidden.",
    remedy: "Describe what you offer to people and leave out anything that " +
      "tells a program what to do.",
  },
  political: {
    title: "Political advertising",
    rule: "Advertising by, for or against parties, candidates, elections, " +
      "referendums, legislation or political causes is not accepted.",
    remedy: "Advertise something that is not political.",
  },
  unlawful: {
    title: "Unlawful offers",
    rule: "What is advertised, and how, must be lawful where readers are: " +
      "throughout the European Union.",
    remedy: "Advertise only what may be offered and advertised throughout " +
      "the European Union.",
  },
  restricted_goods: {
    title: "Restricted goods and services",
    // Alcohol: one advertisement is shown in all of the Union, and the law of
    // some members forbids it there.
    rule: "Alcohol, tobacco and nicotine, weapons, drugs, prescription " +
      "medicine, gambling, and trading in speculative financial products are " +
      "not allowed.",
    remedy: "Advertise something else that you offer.",
  },
  deceptive: {
    title: "Deceptive copy",
    rule: "Claims must be true and provable. Invented urgency, false prices, " +
      "fake system messages and promises of certain gains are not accepted.",
    remedy: "Say only what is true and what the page behind the link shows.",
  },
  impersonation: {
    title: "Another's identity",
    rule: "Copy must not pretend to come from somebody else or from this " +
      "service, nor use another's marks in a way that confuses.",
    remedy: "Advertise under your own company's name and marks.",
  },
  offensive: {
    title: "Hateful, violent or sexual content",
    rule: "Hate, harassment, cruelty, glorified violence and sexual content " +
      "are not accepted.",
    remedy: "Choose words and a page that are fit for everybody.",
  },
  personal_data: {
    title: "Personal data",
    rule: "Copy must not name or describe private persons, nor imply that it " +
      "knows something personal of its reader.",
    remedy: "Leave out what concerns private persons.",
  },
  destination: {
    title: "The page behind the link",
    rule: "The link must lead, without detours, to a working page that " +
      "belongs to what is advertised, harms no device and asks for nothing " +
      "but what the offer needs.",
    remedy: "Link to a working page that shows what the copy says.",
  },
  unreadable: {
    title: "Copy that can't be read",
    rule: "Copy is readable text: no strings of symbols, no letters spaced " +
      "out or piled up, no look-alike characters, no capitals throughout.",
    remedy: "Write it as you would write a sentence in a letter.",
  },
} as const satisfies Readonly<Record<string, Policy>>;

/** Names a policy. */
export type PolicyId = keyof typeof POLICIES;

/** The policies' ids, in the order they are listed. */
export const POLICY_IDS = Object.keys(POLICIES) as [PolicyId, ...PolicyId[]];

/** Reads a policy's id, or answers `null` for an unknown one. */
export function parsePolicyId(text: string): PolicyId | null {
  return Object.hasOwn(POLICIES, text) ? text as PolicyId : null;
}
