import { inTurns } from "../../tools/bench/in_turns.ts";
import { percentile } from "../../tools/bench/statistics.ts";
import {
  type Contest,
  p99Target,
  ratioTarget,
  type Sample,
  type Suite,
} from "../../tools/bench/suite.ts";
import { passagesOf } from "../../domain/retrieval/passages.ts";
import { docsPages } from "../adapters/search/support/demo_corpus.ts";
import {
  type Judgement,
  readJudgements,
} from "../adapters/search/support/judgements.ts";
import { largeSpotlights } from "../adapters/search/support/large_corpus.ts";
import {
  type Corpus,
  Judge,
  mean,
  sectionOf,
} from "../adapters/search/support/quality.ts";
import { TEST_BASE_URL } from "../support/public_spotlights.ts";
import {
  type Engine,
  lunrEngine,
  miniSearchEngine,
  ownEngine,
} from "./search_engines.ts";

const OWN = "this service";
const MINISEARCH = "minisearch";
const LUNR = "lunr";

/** What a query over 4,000 Spotlights takes at most. */
const P99_MS_BELOW = 20;

interface Line {
  name: string;
  engine: Engine;
}

/** Judged queries over 4,000 Spotlights and the documentation. */
export const search: Suite = {
  name: "search",
  title: "Search over 4,000 Spotlights and the documentation",
  async prepare({ seconds }): Promise<Contest> {
    const corpus: Corpus = {
      spotlights: largeSpotlights(),
      passages: passagesOf(await docsPages(), TEST_BASE_URL),
    };
    const judgements = await readJudgements();
    const lines: Line[] = [
      { name: OWN, engine: await ownEngine(corpus) },
      { name: MINISEARCH, engine: miniSearchEngine(corpus) },
      { name: LUNR, engine: lunrEngine(corpus) },
    ];
    const playRound = inTurns(
      lines,
      (line) => measure(line, judgements, seconds),
    );
    return {
      // Answers are the same every time, so their quality is told once.
      warmUp: async () => {
        for (const line of lines) await measure(line, judgements, 1);
      },
      playRound,
      targets: [
        p99Target(OWN, P99_MS_BELOW),
        ratioTarget(OWN, MINISEARCH, 1),
        ratioTarget(OWN, LUNR, 1),
      ],
      notes: [
        `The ${judgements.length} judged queries of tests/search/judgements.txt, ` +
        "asked one after the other in one process.",
        await qualityNote(lines, judgements, corpus),
      ],
    };
  },
};

/** Asks every query in turn until the time is up, and all of them once more. */
async function measure(
  { engine }: Line,
  judgements: readonly Judgement[],
  seconds: number,
): Promise<Sample> {
  const times: number[] = [];
  const startMs = performance.now();
  while (performance.now() - startMs < seconds * 1_000) {
    for (const { query } of judgements) {
      const askedMs = performance.now();
      await engine(query);
      times.push(performance.now() - askedMs);
    }
  }
  const allMs = times.reduce((sum, ms) => sum + ms, 0);
  return {
    perSecond: times.length / allMs * 1_000,
    p50Ms: percentile(times, 0.5),
    p99Ms: percentile(times, 0.99),
  };
}

async function qualityNote(
  lines: readonly Line[],
  judgements: readonly Judgement[],
  corpus: Corpus,
): Promise<string> {
  const judge = new Judge(corpus);
  const parts: string[] = [];
  for (const { name, engine } of lines) {
    const scores: number[] = [];
    for (const judgement of judgements) {
      const answer = await engine(judgement.query);
      scores.push(judge.score(judgement, answer.map(sectionOf)));
    }
    parts.push(`${name} ${mean(scores).toFixed(3)}`);
  }
  return `nDCG@10: ${parts.join(", ")}.`;
}
