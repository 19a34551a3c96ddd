/**
 * Words that mean together what none of them does alone, in questions and in the
 * texts that answer them.
 *
 * @module
 */

/**
 * Questions for what they do not name, with its name. Read in questions alone: a
 * text that answers one of these has a number where the question has "how much".
 */
const HOW_MUCH: readonly (readonly [RegExp, string])[] = [
  [
    /\bhow long (?=(?:may|can|must|should) (?:an? |the |my )?(?:ad|headline|description|text)\b)/gi,
    "characters ",
  ],
  [
    /\b(?:can|do|to) (?:(?:i|we|(?:an|my) agent) )?sign up\b/gi,
    "start advertising",
  ],
  [/\b(?:create|open|set up) an account\b/gi, "start advertising"],
  [/\bregister (?:a|my|our|the) company\b/gi, "start advertising company"],
  [
    /\b(?:verify|prove) (?:my|our|an?|the) identity\b/gi,
    "start advertising identity",
  ],
  [
    /\b(?:link|url) (?=(?:may|can|must|should) (?:an? |the |my )?(?:ad|creative)\b)/gi,
    "target_url ",
  ],
  [
    /\bget (?:an? |the |my )?payment token\b/gi,
    "buy figures shared payment token",
  ],
  [
    /\bwhat does \W?(active|won|lost|void|payment_failed)\W? mean/gi,
    "status bid $1",
  ],
  [/\bhow many (?:ads|creatives)\b/gi, "limit creatives"],
  [/\bwhy (?:did|have) (?:i|we) (?:lose|lost)\b/gi, "lost win bid"],
  [/\bhow long\b/gi, "lifetime"],
  [/\bhow much\b/gi, "price"],
  [/\bhow often\b/gi, "rate"],
];

/** The same, read in texts too, which put it as questions do: "Who may bid". */
const WHO_AND_WHY: readonly (readonly [RegExp, string])[] = [
  [/\bhow many (?:others|advertisers|people) bid\b/gi, "bidders"],
  [/\bwho (?:may|can)\b/gi, "eligible"],
  [/\bwhy (?:can|may|am)\b/gi, "reason"],
  [/\btim(?:ed|es|ing)[ -]out\b/gi, "timeout"],
];

/** What is said in several words, with the one that is looked for instead. */
const PHRASES: readonly (readonly [RegExp, string])[] = [
  [/\b(?:money|paid) back\b/gi, "refund"],
  [/\bturn(?:ed|s)? (?:it )?down\b/gi, "rejected"],
  [/\bt(?:ake|aking|ook|aken) (?:it )?back\b/gi, "withdraw"],
  [/\b(?:used up|ran out|runs? out)\b/gi, "reached"],
  [/\b(?:bid|pay|offer) more\b/gi, "raise bid"],
  [/\bright now\b/gi, "now"],
  [/\bwinning (?:bid|amount|price)\b/gi, "secrecy"],
  [/\bpermission (?:from|of) (?:my|the) (?:owner|user)\b/gi, "consent"],
  [
    /\b(?:create|make|write)s? (?:an? |my )?(?:new )?(?:ad|advertisement)\b/gi,
    "create creative",
  ],
  [/\badd (?:a |my |another )?(?:new )?card\b/gi, "saved card"],
  [
    /\b(?:change|correct|edit|rewrite|update) (?:an|my|the) (?:ad|creative)\b(?! \w+ (?:\w+ )?bid)/gi,
    "change creative",
  ],
  [
    /\b(?:delete|remove|get rid of) (?:an|my|the) (?:ad|creative)\b/gi,
    "archive creative",
  ],
  [/\bresults? (?:announced|known|out|published)\b/gi, "settled win"],
  [
    /\b(?:is|was|has) (?:my|the) (?:bid|raise) (?:been )?(?:accepted|received|registered)\b/gi,
    "confirmed bid",
  ],
  [
    /\b(?:learn|told|notified|informed) (?:that|when) (?=i w[io]n\b)/gi,
    "hear ",
  ],
  [/\b(?:an)?other (?:approved )?(?:ad|creative)\b/gi, "substitute"],
  [/\bdifferent (?:ad|creative)\b/gi, "substitute"],
  [
    /\b(?:exchang|replac|swap|switch)\w{0,4} (?:the |my |an )?(?:ad|creative)\b/gi,
    "substitute",
  ],
  [
    /\bchang\w{1,3} (?:the |my |an )?(?:ad|creative) (?=(?:of|in|for|on) (?:the |my |a )?bid)/gi,
    "substitute ",
  ],
];

/**
 * Ends of questions whose words tell nothing there: "now" tells much elsewhere.
 */
const FILLERS =
  /\b(?:(?:and |so )?what (?:do i do |to do |should i do )?(?:now|next)|now what|than (?:before|usual))\W{0,20}$/i;

/** The words that the phrases of a text mean. */
export function meantBy(text: string): string[] {
  return [...WHO_AND_WHY, ...PHRASES].flatMap(([shape, word]) =>
    text.search(shape) === -1 ? [] : word.split(" ")
  );
}

/** A question with each phrase as the word that it means. */
export function withMeanings(question: string): string {
  const put = question.replace(FILLERS, "");
  return [...HOW_MUCH, ...WHO_AND_WHY, ...PHRASES].reduce(
    (rest, [shape, word]) => rest.replace(shape, ` ${word} `),
    put.trim() === "" ? question : put,
  );
}
