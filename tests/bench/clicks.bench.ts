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
  ratioTarget,
  type Suite,
  type Target,
} from "../../tools/bench/suite.ts";
import {
  expectRedirect,
  GO_PATH,
  startBareRedirect,
  startFastifyClicks,
} from "./click_servers.ts";
import { HOST, PATH, startService } from "./read_servers.ts";

const CONNECTIONS = 64;
const ADDRESSES = 10_000;
/** All there are in a network: more than are asked for in a round. */
const NEW_ADDRESSES = 65_536;
const WARM_UP_SECONDS = 2;
const WARM_UP_TURNS = 20;
/** A network whose country is known, as most are. */
const NETWORK = "81.198";
const BROWSER = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) " +
  "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36";

const BARE = "bare Deno.serve, 302";
const OURS = "this service";
const OURS_NEW = "this service, each click a new visitor";
const READ = "this service, a read";
const PLAIN = "Fastify, counts in SQLite";
const LIMITED = "Fastify, counts and limits in SQLite";

const TARGETS: readonly Target[] = [
  {
    name: `${OURS}, thousand redirects a second`,
    unit: "×",
    atLeast: 20,
    of: (round) => (round.get(OURS)?.perSecond ?? NaN) / 1_000,
  },
  ratioTarget(OURS, LIMITED),
  ratioTarget(OURS, PLAIN),
  ratioTarget(OURS, BARE),
  ratioTarget(OURS, READ),
  ratioTarget(OURS_NEW, LIMITED),
];

const NOTES = [
  `${CONNECTIONS} connections; ${ADDRESSES} addresses with one browser take ` +
  "turns, and each had one before the clock ran: their clicks are repeats.",
  "Each click a new visitor: every address is of a network that has not been " +
  "seen before, so that each click is looked up and kept in the store.",
  "A read is that of the reads suite, of the same process: on a machine with " +
  "nothing else to do it is known how many there are.",
  "All servers but the bare one count durably, a quarter of a second late. " +
  "Only this service and the peer with limits keep a bucket an address.",
  "CPU is the server's own time for each answer, all its threads together.",
];

interface ClickContender extends Contender {
  /** Whether each round brings addresses that were not seen before. */
  isNew?: boolean;
  /** The answer that counts; a redirect when left out. */
  status?: 200 | 302;
}

/** Redirects of one settled day that are counted. */
export const clicks: Suite = {
  name: "clicks",
  title: "Redirects of one settled day, counted",
  async prepare(options, stack): Promise<Contest> {
    const contenders = await startAll(options, stack);
    return {
      async warmUp() {
        for (const contender of contenders) await warmUp(contender);
      },
      playRound: inTurns(contenders, (contender, round) => {
        const { load, isNew } = contender;
        const network = isNew ? `81.${100 + round}` : NETWORK;
        const inNetwork = { ...contender, load: { ...load, network } };
        return measureLoad(inNetwork, options.generator, "served");
      }),
      targets: TARGETS,
      notes: NOTES,
    };
  },
};

async function startAll(
  { seconds }: BenchOptions,
  stack: AsyncDisposableStack,
): Promise<ClickContender[]> {
  const bare = stack.use(await startBareRedirect());
  const ours = stack.use(await startService(stack));
  const fresh = stack.use(await startService(stack));
  const plain = stack.use(await startFastifyClicks("none", stack));
  const limited = stack.use(await startFastifyClicks("sqlite", stack));
  const contender = (
    name: string,
    server: Server,
    addresses: number,
  ): ClickContender => ({
    name,
    server,
    load: {
      port: server.port,
      host: HOST,
      path: GO_PATH,
      connections: CONNECTIONS,
      seconds,
      addresses,
      firstAddress: 0,
      network: NETWORK,
      headers: { "User-Agent": BROWSER },
    },
  });
  for (const server of [bare, ours, fresh, plain, limited]) {
    await expectRedirect(server, HOST);
  }
  return [
    contender(BARE, bare, ADDRESSES),
    contender(OURS, ours, ADDRESSES),
    {
      name: READ,
      server: ours,
      load: { ...contender(READ, ours, ADDRESSES).load, path: PATH },
      status: 200,
    },
    { ...contender(OURS_NEW, fresh, NEW_ADDRESSES), isNew: true },
    contender(PLAIN, plain, ADDRESSES),
    contender(LIMITED, limited, ADDRESSES),
  ];
}

/**
 * Until every address has had its turn. Also sees to it that every server
 * answers what it is asked.
 */
async function warmUp(
  { name, load, isNew, status = 302 }: ClickContender,
): Promise<void> {
  let left = isNew ? 1 : load.addresses;
  for (let turn = 0; left > 0; turn++) {
    const firstAddress = load.addresses - left;
    const { statuses } = await askEach({
      ...load,
      seconds: WARM_UP_SECONDS,
      firstAddress: isNew ? 0 : firstAddress,
      addresses: isNew ? load.addresses : left,
    });
    const { [status]: answered = 0, ...others } = statuses;
    const isStrange = Object.keys(others).length > 0;
    if (answered === 0 || isStrange || turn === WARM_UP_TURNS) {
      throw new Error(
        `Cannot measure ${name}: it answered ${JSON.stringify(statuses)}`,
      );
    }
    left -= answered;
  }
}
