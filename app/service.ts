/**
 * The composition: everything the service is made of, joined once. `main.ts`
 * starts it for a process; tests start it on free ports with parts of their
 * own.
 *
 * @module
 */
import {
  monotonicMs,
  systemClock,
  threadCpuMs,
} from "../adapters/time/system_time.ts";
import { type Core, type CoreOptions, openCore } from "./core.ts";
import { developmentOf } from "./development.ts";
import { type HostAdditions, hostsOf, type Parts } from "./hosts.ts";
import { untilAnswered } from "./open_store.ts";
import type { Config } from "../config/config.ts";
import { deriveKey } from "../config/keys.ts";
import { VERSION } from "../config/version.ts";
import { logHold } from "../domain/hold/log_hold.ts";
import type { Clock, Ids, Log, Services } from "../domain/ports.ts";
import { keyedHash } from "../adapters/crypto/keyed_hash.ts";
import type { KvLike } from "../kv/kv_like.ts";
import { logStart } from "./doctor.ts";
import { eventLog } from "../routes/event_log.ts";
import { faultFields } from "../routes/fault.ts";
import { type Health, health } from "../routes/health.ts";
import type { HostKind } from "../routes/hosts.ts";
import { BodyTurns } from "../routes/http/body_turns.ts";
import {
  type BodyWaitParts,
  type BodyWaits,
  bodyWaits,
} from "../routes/http/body_waits.ts";
import { respondEmpty } from "../routes/http/respond.ts";
import {
  type LineWriter,
  lineWriter,
  type Sink,
} from "../routes/line_writer.ts";
import {
  hostDispatch,
  requestIds,
} from "../routes/middleware/host_dispatch.ts";
import type { Route, RoutedHost } from "../routes/route_table.ts";
import { UnsentAnswers } from "../routes/middleware/unsent_answers.ts";
import { startJobs, telemetryOf } from "./telemetry.ts";
import { requestLog } from "../routes/request_log.ts";
import {
  Front,
  type Handler,
  logSink,
  openListeners,
  withPorts,
} from "./serve.ts";

/**
 * How long requests in flight may take when the service stops, ms. Deno Deploy
 * kills what has not ended after 5 s.
 */
export function stopGraceMs({ store }: Config): number {
  return store.kind === "managed" ? 4_000 : 10_000;
}

/** Parts a test brings instead of the real ones. */
export interface ServiceOverrides extends HostAdditions {
  clock?: Clock;
  ids?: Ids;
  /** Where the log goes. */
  sink?: Sink;
  graceMs?: number;
  /** The time that bodies are waited for by. */
  bodyTime?: Required<BodyWaitParts>["time"];
  /** The clock that tells how long bodies take to be read, of the processor too. */
  readingMs?: () => number;
  /** A store of the test's own. */
  kv?: KvLike;
  /** Whether the background jobs run by themselves. */
  crons?: boolean;
}

/** A running service. */
export interface Service {
  /** With the ports that are really listened on. */
  config: Config;
  log: Log;
  /** What the surfaces stand on, for tools and tests in this process. */
  core: Core;
  /** Every operation of each host, for tests that ask all of them. */
  routes: Readonly<Record<HostKind, readonly Route[]>>;
  /** Stops in order; a repeated call waits for the same stop. */
  stop(): Promise<void>;
}

/** What the parts, once joined, give the service. */
interface Composition {
  core: Core;
  hosts: Readonly<Record<HostKind, RoutedHost>>;
  health: Health;
  /** Flushes and closes the parts, once nothing is in flight. */
  close(): Promise<void>;
}

/** Starts the service and answers once it can be asked. */
export async function startService(
  config: Config,
  overrides: ServiceOverrides = {},
): Promise<Service> {
  const clock = overrides.clock ?? systemClock;
  const writer = lineWriter(overrides.sink ?? logSink(config));
  const log = telemetryOf(config).log(eventLog(writer, clock));
  const stopping = new AbortController();
  const services = Promise.withResolvers<Services>();
  const jobs = overrides.crons ? startJobs(config, services.promise) : null;
  const front = new Front(notStarted);
  const listeners = openListeners(config, front, log);
  const listening = withPorts(config, listeners.ports);
  const parts = {
    config: listening,
    clock,
    log,
    stopping: stopping.signal,
    bodies: bodiesOf(overrides, stopping.signal),
  };
  // Nobody is to wait for as long as an outage lasts.
  const onStoreAwaited = () =>
    front.answerBy({ handle: notStarted, turnAway: notStarted });
  const composition = await compose(
    parts,
    { ...overrides, onStoreAwaited },
  ).catch(async (error) => {
    await jobs?.stop();
    await listeners.close(0);
    throw error;
  });
  services.resolve(composition.core.services);
  front.answerBy({
    handle: dispatchOf(parts, writer, composition, composition.health),
    // Whoever asks whether it lives is to go elsewhere, as is everybody else.
    turnAway: dispatchOf(parts, writer, composition, () => null),
  });
  const told = logStart(parts);
  await untilAnswered(() => logHold(composition.core.services));

  async function stopOnce(): Promise<void> {
    log.info("stopping");
    stopping.abort();
    await listeners.close(overrides.graceMs ?? stopGraceMs(config));
    try {
      await told;
      await jobs?.stop();
      await composition.close();
    } catch (fault) {
      log.error("stop_failed", faultFields("", fault));
    }
    log.info("stopped");
    await writer.flush();
  }
  let stopped: Promise<void> | null = null;
  return {
    config: listening,
    log,
    core: composition.core,
    routes: {
      site: composition.hosts.site.routes,
      auth: composition.hosts.auth.routes,
      docs_mcp: composition.hosts.docs_mcp.routes,
    },
    stop: () => stopped ??= stopOnce(),
  };
}

/** The parts could not be joined. */
function notStarted(): Response {
  return respondEmpty(503, { "retry-after": "1" });
}

async function compose(
  parts: Parts,
  overrides: ServiceOverrides & Pick<CoreOptions, "onStoreAwaited">,
): Promise<Composition> {
  const { config, clock, log } = parts;
  const core = await openCore({
    config,
    clock,
    log,
    stopping: parts.stopping,
    development: developmentOf(config.settings, overrides.development),
    ...(overrides.onStoreAwaited
      ? { onStoreAwaited: overrides.onStoreAwaited }
      : {}),
    ...(overrides.ids ? { ids: overrides.ids } : {}),
    ...(overrides.kv ? { kv: overrides.kv } : {}),
  });
  return {
    core,
    hosts: await hostsOf(parts, core, overrides),
    health: health({
      serving: () => parts.stopping.aborted ? "The service is stopping" : null,
      ...core.checks,
    }, VERSION),
    close: () => core.close(),
  };
}

/** How bodies are waited for, and the turns in which they are read. */
function bodiesOf(
  { bodyTime, readingMs }: ServiceOverrides,
  stopping: AbortSignal,
): BodyWaits {
  const turns = new BodyTurns({
    nowMs: readingMs ?? monotonicMs,
    cpuMs: readingMs ?? threadCpuMs,
    soon: setImmediate,
  });
  return bodyWaits({ stopping, turns, ...bodyTime && { time: bodyTime } });
}

function dispatchOf(
  parts: Parts,
  writer: LineWriter,
  composition: Composition,
  health: Health,
): Handler {
  const { config, clock, log, bodies } = parts;
  const hashGrant = keyedHash(deriveKey(config.secrets, "log-grant"));
  const prefix = crypto.randomUUID().slice(0, 8);
  return hostDispatch({
    settings: config.settings,
    clock,
    log,
    requestLog: telemetryOf(config).requests(requestLog(writer, hashGrant)),
    requestIds: requestIds(prefix),
    health,
    bodies,
    unsent: new UnsentAnswers(config.trustedProxyHops),
    hosts: composition.hosts,
  });
}
