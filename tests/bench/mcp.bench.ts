import {
  type Contender,
  inTurns,
  measureLoad,
} from "../../tools/bench/in_turns.ts";
import type { Server } from "../../tools/bench/processes.ts";
import {
  type BenchOptions,
  type Contest,
  ratioTarget,
  type Suite,
  type Target,
} from "../../tools/bench/suite.ts";
import {
  answerOf,
  type Asked,
  type CallName,
  CALLS,
  legacyCall,
  modernCall,
  startExpress,
} from "./mcp_servers.ts";
import { startService } from "./read_servers.ts";

const CONNECTIONS = 16;
/** So many that no bucket is ever empty. */
const ADDRESSES = 10_000;
const WARM_UP_SECONDS = 2;
const NAMES = Object.keys(CALLS) as CallName[];

const LINES = {
  ours: "this service",
  ours2025: "this service, as of 2025-06-18",
  streams: "SDK's Express example",
  json: "SDK's Express example, JSON answers",
} as const;

const lineOf = (name: CallName, server: keyof typeof LINES) =>
  `${name}, ${LINES[server]}`;

/** The example is what is judged against, however it answers. */
const TARGETS: readonly Target[] = NAMES.flatMap((name) => [
  ratioTarget(lineOf(name, "ours"), lineOf(name, "streams"), 2.5),
  ratioTarget(lineOf(name, "ours"), lineOf(name, "json"), 2.5),
  ratioTarget(lineOf(name, "ours2025"), lineOf(name, "json")),
]);

const NOTES = [
  `${CONNECTIONS} connections; ${ADDRESSES} addresses take turns, so no bucket ` +
  "is ever empty.",
  "All answer the same object and text, and hold input and output to schemas. " +
  "The example builds a server for every request, and so does this service for " +
  "revisions of 2025; a plain call of 2026-07-28 needs none here.",
  "Only this service has limits, one log line a request, and checks of Host " +
  "and Origin.",
  "read_docs_page answers a page of the documentation, get_spotlight a day.",
];

/** Calls of tools, of this service and of the protocol's own example. */
export const mcp: Suite = {
  name: "mcp",
  title: "Calls of tools",
  async prepare(options, stack): Promise<Contest> {
    const contenders = await startAll(options, stack);
    const { generator } = options;
    return {
      async warmUp() {
        for (const each of contenders) {
          const load = { ...each.load, seconds: WARM_UP_SECONDS };
          await measureLoad({ ...each, load }, generator, "served");
        }
      },
      playRound: inTurns(
        contenders,
        (contender) => measureLoad(contender, generator, "served"),
      ),
      targets: TARGETS,
      notes: NOTES,
    };
  },
};

async function startAll(
  { seconds }: BenchOptions,
  stack: AsyncDisposableStack,
): Promise<Contender[]> {
  const ours = stack.use(await startService(stack));
  const page = await answerOf(ours.port, modernCall("read_docs_page"));
  const day = await answerOf(ours.port, modernCall("get_spotlight"));
  const answers = {
    page: (page as { text: string }).text,
    record: (day as { data: unknown }).data,
  };
  const streams = stack.use(await startExpress(true, answers));
  const json = stack.use(await startExpress(false, answers));
  for (const name of NAMES) await expectSame(name, ours, json);
  const contender = (
    name: string,
    server: Server,
    call: Asked,
  ): Contender => ({
    name,
    server,
    load: {
      port: server.port,
      connections: CONNECTIONS,
      addresses: ADDRESSES,
      firstAddress: 0,
      seconds,
      ...call,
    },
  });
  return NAMES.flatMap((name) => [
    contender(lineOf(name, "ours"), ours, modernCall(name)),
    contender(lineOf(name, "ours2025"), ours, legacyCall(name)),
    contender(lineOf(name, "streams"), streams, legacyCall(name)),
    contender(lineOf(name, "json"), json, legacyCall(name)),
  ]);
}

/** Makes sure that all do the same work. */
async function expectSame(
  name: CallName,
  ours: Server,
  peer: Server,
): Promise<void> {
  const answers = [
    await answerOf(ours.port, modernCall(name)),
    await answerOf(ours.port, legacyCall(name)),
    await answerOf(peer.port, legacyCall(name)),
  ].map((each) => JSON.stringify(each));
  if (new Set(answers).size === 1) return;
  throw new Error(`Cannot measure: ${name} is answered ${answers.join(" ")}`);
}
