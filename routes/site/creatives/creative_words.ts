import type { CreativeState } from "../../../domain/creatives/creative.ts";
import type { CreativeRefusal } from "../../../domain/creatives/creative_refusal.ts";
import { unreachable } from "../../../domain/invariant.ts";

/** Where the policies are published. */
export const POLICIES_URL = "/developers#creative-policies";

/** How each state is called. */
export const STATE_WORDS: Readonly<Record<CreativeState, string>> = {
  draft: "Draft",
  submitted: "Under review",
  approved: "Approved",
  rejected: "Not approved",
  archived: "Archived",
};

/** What each state means, and what can be done in it. */
export const STATE_HINTS: Readonly<Record<CreativeState, string>> = {
  draft: "Only you see it. Submit it for review when it is as you want it.",
  submitted:
    "A person reviews it, usually within a day, and we write to you. Once it " +
    "is approved, you can bid with it in the auction that is open then. Until " +
    "then it can’t be changed.",
  approved: "You can bid with it. It never changes; editing it makes a new " +
    "version, which is reviewed separately.",
  rejected: "You can’t bid with it. Make a new version that fixes the problem.",
  archived: "It is archived, so you can’t bid with it.",
};

/** What has just happened, by the query that led back here. */
export const NOTES: Readonly<Record<string, string>> = {
  saved: "The draft was saved.",
  version: "A new version was saved as a draft. The one it was made from " +
    "stays as it is.",
  submitted: "The ad was submitted.",
  archived: "The ad was archived.",
};

/** Why something was not done, in sentences for the advertiser. */
export function whyNot(why: CreativeRefusal): string {
  switch (why.kind) {
    case "bad_copy":
      return "That can’t be taken as it is:";
    case "wrong_state":
      return `That was not done: this advertisement is ${
        STATE_WORDS[why.state].toLowerCase()
      } by now.`;
    case "name_changed":
      return "That was not done: the advertiser has another name by now, " +
        "which you see below.";
    case "no_advertiser":
      return "That was not done: the account names no company yet.";
    case "live_bid": {
      const [bid, stands] = why.days.length === 1
        ? ["bid", "stands"]
        : ["bids", "stand"];
      return `It stays for now: your ${bid} for ${why.days.join(", ")} ` +
        `${stands} on it. Archive it once that auction has settled, or raise ` +
        "the bid with another advertisement first.";
    }
    case "shelf_full":
      return why.bound === "kept"
        ? `You have ${why.most} advertisements, which is as many as can be ` +
          "kept. Archive one that you do not use any more."
        : `You have made ${why.most} advertisements today. Please go on ` +
          "tomorrow.";
    default:
      return unreachable(why);
  }
}
