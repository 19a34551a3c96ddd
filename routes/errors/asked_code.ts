/**
 * Where the documentation explains a code that is asked about: the words of a code
 * stand in many of its tables, and least often where it is explained.
 *
 * @module
 */
import { HUMAN_STEPS } from "../../domain/pages.ts";
import { PROBLEM_TYPES } from "./problem_types.ts";

/** No code is longer, with what may stand around it. */
const ASKED_LENGTH_MAX = 80;

/** What people put before a code, the prefix of the agent API's among it. */
const BEFORE: ReadonlySet<string | undefined> = new Set(
  "what does the a an i get got why http status type error problem code agent"
    .split(" "),
);
const AFTER: ReadonlySet<string | undefined> = new Set(
  "mean means error problem code".split(" "),
);

const STEPS_SECTION = PROBLEM_TYPES["agent-human-step-required"].section;

/** Sections of developers.md by kind and title of a problem, or by reason. */
const SECTIONS: ReadonlyMap<string, string> = new Map([
  ...HUMAN_STEPS.map((step) => [keyOf(wordsOf(step)), STEPS_SECTION] as const),
  ...Object.entries(PROBLEM_TYPES).flatMap(([slug, { title, section }]) =>
    [slug, title].map((name) => [keyOf(wordsOf(name)), section] as const)
  ),
]);

/**
 * The first passage of the section that a problem's `docs` names, for a question
 * that is the problem's code, title or `type` and nothing else; else `null`.
 */
export function passageOfCode(question: string): string | null {
  const [last = ""] = question.split("/problems/").slice(-1);
  if (last.length > ASKED_LENGTH_MAX) return null;
  const section = sectionOf(wordsOf(last));
  return section === undefined ? null : `developers.md#${section}`;
}

function sectionOf(words: readonly string[]): string | undefined {
  const known = SECTIONS.get(keyOf(words));
  if (known !== undefined) return known;
  if (BEFORE.has(words[0]) || /^\d{3}$/.test(words[0] ?? "")) {
    return sectionOf(words.slice(1));
  }
  return AFTER.has(words.at(-1)) ? sectionOf(words.slice(0, -1)) : undefined;
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
}

function keyOf(words: readonly string[]): string {
  return words.join(" ");
}
