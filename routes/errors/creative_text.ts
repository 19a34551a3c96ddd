import type { CreativeRefusal } from "../../domain/creatives/creative_refusal.ts";
import type { CreativeState } from "../../domain/creatives/creative.ts";
import { unreachable } from "../../domain/invariant.ts";
import { codedProblem } from "./coded_problem.ts";
import type { ProblemSlug } from "./problem_types.ts";
import type { Answer } from "./refusal_answers.ts";

const STANDS: Readonly<Record<CreativeState, string>> = {
  draft: "it is a draft",
  submitted: "it is under review",
  approved: "it is approved",
  rejected: "it was rejected",
  archived: "it is archived",
};

const SLUGS = {
  wrong_state: "creative-in-other-state",
  name_changed: "advertiser-renamed",
  no_advertiser: "advertiser-unnamed",
  live_bid: "creative-of-live-bid",
  shelf_full: "creatives-full",
} as const satisfies Readonly<
  Record<Exclude<CreativeRefusal["kind"], "bad_copy">, ProblemSlug>
>;

/** Why nothing was done with a creative, without a full stop. */
export function creativeText(why: CreativeRefusal): string {
  switch (why.kind) {
    case "bad_copy": {
      const named = why.problems.map(({ field, code }) => `${field} ${code}`);
      return `Cannot take the copy: ${named.join(", ")}`;
    }
    case "wrong_state":
      return `Cannot ${why.action} creative "${why.adId}": ` +
        STANDS[why.state] + wayOn(why);
    case "name_changed":
      return `Cannot approve creative "${why.adId}": its advertiser has ` +
        "another name by now";
    case "no_advertiser":
      return `Cannot approve creative "${why.adId}": its account names no ` +
        "company yet";
    case "live_bid":
      return `Cannot archive creative "${why.adId}": your bid stands on it ` +
        `until its auction has settled (${why.days.join(", ")})`;
    case "shelf_full":
      return why.bound === "kept"
        ? `Cannot make a creative: an account has ${why.most} at most, ` +
          "archive one"
        : `Cannot make a creative: an account makes ${why.most} a day at ` +
          "most, go on tomorrow";
    default:
      return unreachable(why);
  }
}

/** 400 VALIDATION_FAILED with every problem of the copy, else 409 CONFLICT. */
export function creativeProblem(why: CreativeRefusal): Answer {
  const detail = creativeText(why);
  if (why.kind === "bad_copy") {
    return codedProblem("VALIDATION_FAILED", detail, { errors: why.problems });
  }
  return codedProblem("CONFLICT", detail, { slug: SLUGS[why.kind] });
}

/** What brings a rejected creative to its review again: it never changes. */
function wayOn(
  { action, state }: Extract<CreativeRefusal, { kind: "wrong_state" }>,
): string {
  return action === "submit" && state === "rejected"
    ? ". Change it (PATCH, or the tool update_creative): that makes a new " +
      "draft, which you can submit"
    : "";
}
