import {
  type Contender,
  inTurns,
  measureLoad,
} from "../../tools/bench/in_turns.ts";
import { askEach } from "../../tools/bench/load/own.ts";
import { Connection } from "../../tools/bench/load/connection.ts";
import type { Server } from "../../tools/bench/processes.ts";
import {
  type Contest,
  p99Target,
  type Suite,
  type Target,
} from "../../tools/bench/suite.ts";
import { parseEventStream } from "../support/event_stream.ts";
import { readJudgements } from "../adapters/search/support/judgements.ts";
import { largeSpotlights } from "../adapters/search/support/large_corpus.ts";
import { HOST, startService } from "./read_servers.ts";

const CONNECTIONS = 32;
/** What a stream's reader meets: a server that is busy, not one that queues. */
const STREAM_CONNECTIONS = 8;
const ADDRESSES = 10_000;
const WARM_UP_SECONDS = 2;
const READY_WITHIN_MS = 20_000;

const NEW = "JSON, each question a new one";
const AGAIN = "JSON, the same questions again";
const STREAM = "stream, each question a new one";

const TARGETS: readonly Target[] = [
  perSecondTarget(NEW, 2_000),
  perSecondTarget(AGAIN, 2_000),
  p99Target(STREAM, 20),
];

function perSecondTarget(name: string, atLeast: number): Target {
  return {
    name: `${name}, a second`,
    unit: "/s",
    atLeast,
    of: (round) => round.get(name)?.perSecond ?? NaN,
  };
}

/** `/ask` over 4,000 Spotlights and the documentation. */
export const ask: Suite = {
  name: "ask",
  title: "Questions to /ask over 4,000 Spotlights and the documentation",
  async prepare({ seconds, generator }, stack): Promise<Contest> {
    const server = stack.use(await startService(stack, largeSpotlights()));
    const asked = (await readJudgements()).map(({ query }) => query);
    const fresh = newQuestions(asked);
    const line = (
      name: string,
      queries: readonly string[],
      connections: number,
      further = "",
    ): Contender => ({
      name,
      server,
      load: {
        port: server.port,
        host: HOST,
        path: "/ask",
        paths: queries.map((query) =>
          `/ask?query=${encodeURIComponent(query)}${further}`
        ),
        connections,
        seconds,
        addresses: ADDRESSES,
        firstAddress: 0,
      },
    });
    const lines = [
      line(NEW, fresh, CONNECTIONS),
      line(AGAIN, asked, CONNECTIONS),
      line(STREAM, fresh, STREAM_CONNECTIONS, "&streaming=true"),
    ];
    return {
      warmUp: () => warmUp(server, lines),
      playRound: inTurns(
        lines,
        (each) => measureLoad(each, generator, "served"),
      ),
      targets: TARGETS,
      notes: [
        `${asked.length} judged questions of tests/search/judgements.txt; a ` +
        "new one is made of two of them, and of " +
        `${fresh.length} each comes once before any comes again.`,
        `JSON over ${CONNECTIONS} connections, streams over ` +
        `${STREAM_CONNECTIONS}; ${ADDRESSES} addresses take turns.`,
        "A stream leaves in one piece, so that its first byte is there no " +
        "later than the answer that is timed.",
        "Every Spotlight found is looked up in the store, which is a file.",
      ],
    };
  },
};

/** A word or two of one question before another, as people vary them. */
function newQuestions(asked: readonly string[]): string[] {
  const questions = asked.flatMap((first) =>
    asked.flatMap((second) => {
      const [one = "", two = ""] = first.split(" ");
      return [`${one} ${second}`, `${one} ${two} ${second}`];
    })
  );
  // Neighbours share words, so they are asked far apart.
  const distinct = [...new Set(questions)];
  const step = 7_919;
  return distinct.map((_, at) => distinct[at * step % distinct.length] ?? "")
    .slice(0, ADDRESSES);
}

async function warmUp(
  server: Server,
  lines: readonly Contender[],
): Promise<void> {
  await expectAnswers(server);
  for (const { name, load } of lines) {
    const { statuses } = await askEach({ ...load, seconds: WARM_UP_SECONDS });
    if (Object.keys(statuses).join() !== "200") {
      throw new Error(
        `Cannot measure ${name}: it answered ${JSON.stringify(statuses)}`,
      );
    }
  }
}

/** Waits for the index, and makes sure that there is something to answer. */
async function expectAnswers(server: Server): Promise<void> {
  const untilMs = performance.now() + READY_WITHIN_MS;
  for (;;) {
    const { status, text } = await askOnce(server);
    const names = parseEventStream(text).map(({ event }) => event);
    if (status === 200 && names.includes("result")) return;
    if (status !== 503 || performance.now() > untilMs) {
      throw new Error(`Cannot measure: /ask answers ${status} ${text}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function askOnce(
  server: Server,
): Promise<{ status: number; text: string }> {
  using connection = await Connection.open(server.port);
  const { status, bytes, bodyStart, end } = await connection.ask(
    new TextEncoder().encode(
      `GET /ask?query=bike&streaming=true HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`,
    ),
  );
  return {
    status,
    text: new TextDecoder().decode(bytes.subarray(bodyStart, end)),
  };
}
