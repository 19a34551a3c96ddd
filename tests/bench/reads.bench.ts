import {
  type Contender,
  inTurns,
  measureLoad,
} from "../../tools/bench/in_turns.ts";
import { askEach } from "../../tools/bench/load/own.ts";
import type { Server } from "../../tools/bench/processes.ts";
import {
  type BenchOptions,
  type Contest,
  p99Target,
  ratioTarget,
  type Suite,
  type Target,
} from "../../tools/bench/suite.ts";
import {
  expectRecord,
  HOST,
  PATH,
  startBare,
  startFastify,
  startService,
} from "./read_servers.ts";

const CONNECTIONS = 64;
const ADDRESSES = 10_000;
/** None of the 10,000. */
const HOT_ADDRESS = 60_000;
const WARM_UP_SECONDS = 2;

const BARE = "bare Deno.serve";
const OURS = "this service, admitted";
const MEMORY = "Fastify, limits in memory, admitted";
const SQLITE = "Fastify, limits in SQLite, admitted";
const OURS_HOT = "this service, refused";
const MEMORY_HOT = "Fastify, limits in memory, refused";
const SQLITE_HOT = "Fastify, limits in SQLite, refused";
const BLOCKING_HOT = "Fastify, SQLite and blocking in memory, refused";

/**
 * The peer that is judged against does the same job: limits that are durable
 * and one for all processes, as the library sets them up. What does less or is
 * tuned by hand stands beside it for information.
 */
const TARGETS: readonly Target[] = [
  ratioTarget(OURS, SQLITE, 1),
  ratioTarget(OURS, MEMORY, 0.8),
  ratioTarget(OURS, BARE),
  ratioTarget(OURS_HOT, SQLITE_HOT, 2),
  ratioTarget(OURS_HOT, BLOCKING_HOT),
  ratioTarget(OURS_HOT, MEMORY_HOT),
  ratioTarget(OURS_HOT, BARE, 0.4),
  p99Target(OURS, 25),
  p99Target(OURS_HOT, 25),
];

const NOTES = [
  `${CONNECTIONS} connections; admitted: ${ADDRESSES} addresses take turns, ` +
  "so no bucket is ever empty; refused: one address asks for all.",
  "Servers and load generator share the CPUs: read the ratios. They are " +
  "taken round by round, and the median is judged.",
  "CPU is the server's own time for each answer, all its threads together.",
  "Only Fastify with limits in SQLite keeps them as this service does: " +
  "durable, and one for all processes. In memory they are neither.",
];

/** `status` is the answer that counts. */
interface ReadContender extends Contender {
  status: 200 | 429;
}

/** Reads of one settled day, from many addresses and from a single one. */
export const reads: Suite = {
  name: "reads",
  title: "Reads of one settled day",
  async prepare(options, stack): Promise<Contest> {
    const contenders = await startAll(options, stack);
    return {
      async warmUp() {
        for (const contender of contenders) await warmUp(contender);
      },
      playRound: inTurns(
        contenders,
        (contender) =>
          measureLoad(
            contender,
            options.generator,
            contender.status === 200 ? "served" : "refused",
          ),
      ),
      targets: TARGETS,
      notes: NOTES,
    };
  },
};

async function startAll(
  { seconds }: BenchOptions,
  stack: AsyncDisposableStack,
): Promise<ReadContender[]> {
  const bare = stack.use(await startBare());
  const ours = stack.use(await startService(stack));
  const memory = stack.use(await startFastify("memory", stack));
  const sqlite = stack.use(await startFastify("sqlite", stack));
  const blocking = stack.use(await startFastify("sqlite_blocking", stack));
  const many = { addresses: ADDRESSES, firstAddress: 0 };
  const hot = { addresses: 1, firstAddress: HOT_ADDRESS };
  const contender = (
    name: string,
    server: Server,
    from: typeof many,
    status: 200 | 429,
  ): ReadContender => {
    const { port } = server;
    const connections = CONNECTIONS;
    const load = {
      port,
      host: HOST,
      path: PATH,
      connections,
      seconds,
      ...from,
    };
    return { name, server, load, status };
  };
  const servers = [bare, ours, memory, sqlite, blocking];
  for (const server of servers) await expectRecord(server);
  return [
    contender(BARE, bare, many, 200),
    contender(OURS, ours, many, 200),
    contender(MEMORY, memory, many, 200),
    contender(SQLITE, sqlite, many, 200),
    contender(OURS_HOT, ours, hot, 429),
    contender(MEMORY_HOT, memory, hot, 429),
    contender(SQLITE_HOT, sqlite, hot, 429),
    contender(BLOCKING_HOT, blocking, hot, 429),
  ];
}

/** Also sees to it that every server does what it is measured at. */
async function warmUp({ name, load, status }: ReadContender): Promise<void> {
  const { statuses } = await askEach({ ...load, seconds: WARM_UP_SECONDS });
  const { [status]: wanted = 0, 200: served = 0, ...others } = statuses;
  const strange = Object.keys(others).length > 0 ||
    status === 429 && served > 200;
  if (strange || wanted === 0) {
    throw new Error(
      `Cannot measure ${name}: it answered ${JSON.stringify(statuses)}`,
    );
  }
}
