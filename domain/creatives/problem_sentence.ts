import { unreachable } from "../invariant.ts";
import { TARGET_URL_MAX, type UrlProblem } from "./target_url.ts";
import type { TextBounds, TextProblem } from "../text/text_problem.ts";

/** What is wrong with a text and what to do, in a sentence for anyone. */
export function textSentence(
  problem: TextProblem,
  { min, max }: TextBounds,
): string {
  switch (problem) {
    case "missing":
      return `Write ${min} to ${max} characters here.`;
    case "too_short":
      return `Write at least ${min} characters.`;
    case "too_long":
      return `Shorten this to ${max} characters.`;
    case "line_break":
      return "Write this on one line, without line breaks.";
    case "control_character":
      return "Remove the control characters, such as tabs and escapes; " +
        "typing it anew helps.";
    case "direction_character":
      return "Remove the characters that change the direction of text; " +
        "typing it anew helps.";
    case "zero_width_character":
      return "Remove the zero-width characters; typing it anew helps. Emoji " +
        "that are joined of several are among them.";
    case "tag_character":
      return "Remove the hidden tag characters; typing it anew helps.";
    case "unassigned_character":
      return "Remove the characters that Unicode does not define; typing it " +
        "anew helps.";
    case "invisible_character":
      return "Remove the characters that can’t be seen; typing it anew helps.";
    case "stacked_marks":
      return "Remove the accents that are piled up or stand alone.";
    default:
      return unreachable(problem);
  }
}

/** The same for an address. */
export function urlSentence(problem: UrlProblem): string {
  switch (problem) {
    case "missing":
      return "Enter the address of your page, such as https://example.com/.";
    case "too_long":
      return `Use an address of ${TARGET_URL_MAX} characters at most.`;
    case "unreadable":
      return "Remove spaces, backslashes and characters that can’t be seen.";
    case "not_https":
      return "Use an address that begins with https://.";
    case "has_credentials":
      return "Leave out the user name and password.";
    case "not_public":
      return "Use the name of a public host, such as example.com: no IP " +
        "address and no local name.";
    default:
      return unreachable(problem);
  }
}
