import type { Spotlight } from "../../../../domain/spotlights/spotlight.ts";
import { DEMO_COPY } from "./demo_corpus.ts";

/** A query and what answers it, with grades 1 to 3. */
export interface Judgement {
  readonly group: string;
  readonly query: string;
  /** By the keys that the file explains; empty when nothing answers it. */
  readonly grades: ReadonlyMap<string, number>;
}

const FILE = new URL("../judgements.txt", import.meta.url);

/** Reads the judgements. */
export async function readJudgements(): Promise<Judgement[]> {
  const judgements: Judgement[] = [];
  let group = "";
  for (const line of (await Deno.readTextFile(FILE)).split("\n")) {
    if (line.startsWith("## ")) group = line.slice(3);
    else if (group !== "" && line.trim() !== "") {
      judgements.push(judgementOf(line, group));
    }
  }
  return judgements;
}

function judgementOf(line: string, group: string): Judgement {
  const [query, answers] = line.split(" => ");
  if (query === undefined || answers === undefined) {
    throw new TypeError(`Cannot read the judgement "${line}"`);
  }
  const grades = answers === "nothing" ? [] : splitAnswers(answers);
  return { group, query, grades: new Map(grades) };
}

/** Names may hold commas, so an answer ends with its grade. */
function splitAnswers(answers: string): [string, number][] {
  const found = [...answers.matchAll(/(\S.*?) ([123])(?:, |$)/g)];
  const read = found.map(([text]) => text).join("");
  if (read !== answers) throw new TypeError(`Cannot read "${answers}"`);
  return found.map(([, key = "", grade]) => [key, Number(grade)]);
}

/** Every key a Spotlight is judged by. */
export function keysOf({ day, headline, advertiser }: Spotlight): string[] {
  const copy = DEMO_COPY.find((one) => one.headline === headline);
  return [
    `day:${day}`,
    `month:${day.slice(0, 7)}`,
    `by:${advertiser}`,
    ...copy === undefined ? [] : [copy.name],
  ];
}

/** The best grade that any of the keys was given; 0 for none. */
export function gradeOf(
  { grades }: Judgement,
  keys: readonly string[],
): number {
  return Math.max(0, ...keys.map((key) => grades.get(key) ?? 0));
}
