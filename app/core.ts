/**
 * The parts every host stands on: store, processor, limiter and the public
 * records, opened once and closed in order.
 *
 * @module
 */
import { backupTarget } from "../adapters/backup/backup_target.ts";
import { sleep, startTimer } from "../adapters/time/system_time.ts";
import { openClickJudge } from "./open_click_judge.ts";
import { type Config, ConfigError } from "../config/config.ts";
import { deriveKey } from "../config/keys.ts";
import { jobs } from "../cron/jobs.ts";
import type { StoreAlarm } from "../domain/alerts/store_alarm.ts";
import { budgetedRegistry } from "../domain/accounts/budgeted_registry.ts";
import { isoTime } from "../domain/day.ts";
import { StoreUnavailable } from "../domain/failure.ts";
import {
  type ClickCounter,
  createClickCounter,
} from "../domain/clicks/click_counter.ts";
import { createEventWaits } from "../domain/events/event_waits.ts";
import { gatedPorts } from "../domain/hold/gate.ts";
import { lateJobs } from "../domain/operations/list_job_runs.ts";
import type { Clock, Ids, Log, Services, Store } from "../domain/ports.ts";
import type { Retrieval } from "../domain/retrieval/retrieval.ts";
import { createRateLimiter } from "../domain/rate_limit/create_rate_limiter.ts";
import type { RateLimiter } from "../domain/rate_limit/limiter.ts";
import type { Processor } from "../domain/payments/processor.ts";
import { PublicRecords } from "../domain/spotlights/public_records.ts";
import type { PublicSnapshot } from "../domain/spotlights/public_snapshot.ts";
import {
  createEventPump,
  type EventPump,
} from "../domain/webhooks/event_pump.ts";
import type { EventWork } from "../domain/webhooks/process_events.ts";
import { WEBHOOK_HANDLERS } from "../domain/webhooks/handlers.ts";
import { keyedHash } from "../adapters/crypto/keyed_hash.ts";
import { createChunkedValues } from "../kv/chunked_values.ts";
import { documentArchive } from "../kv/document_archive.ts";
import { writeBackups } from "../kv/backup_series.ts";
import { dump } from "../kv/dump.ts";
import type { KvLike } from "../kv/kv_like.ts";
import {
  EMBEDDED_LANES,
  rateBuckets,
  REMOTE_LANES,
} from "../kv/rate_buckets.ts";
import { reindex } from "../kv/reindex.ts";
import {
  checkSchema,
  isEmpty,
  readSchema,
  SCHEMA_VERSION,
  SchemaTooNew,
} from "../kv/schema.ts";
import { createStore, type StoreOptions } from "../kv/store.ts";
import { StoreProbe } from "../kv/store_probe.ts";
import { findUnfinishedRestore } from "../kv/unfinished_restore.ts";
import {
  POLL_MS,
  type VersionWatch,
  WATCHED_POLL_MS,
  watchSpotlightsVersion,
} from "../kv/watch_version.ts";
import type { Development } from "./development.ts";
import { openStore, untilAnswered } from "./open_store.ts";
import { openOutside } from "./outside.ts";
import { hooksOf, openPumps } from "./pumps.ts";
import { telemetryOf } from "./telemetry.ts";
import { createStripeClient } from "../adapters/stripe/stripe_client.ts";
import { createStripeProcessor } from "../adapters/stripe/stripe_processor.ts";
import { withToldRefusals } from "../adapters/stripe/told_refusals.ts";
import { randomIds } from "../adapters/crypto/random_ids.ts";
import { openSearch, type Search } from "./retrieval.ts";
import { backupKeys, secretKeys } from "../config/secret_keys.ts";
import type { HealthCheck, HealthNote } from "../routes/health.ts";

/** Between two pages of rows: the service goes on answering meanwhile. */
const REINDEX_PAUSE_MS = 20;

/** What the core is opened with. */
export interface CoreOptions {
  config: Config;
  clock: Clock;
  log: Log;
  /** Aborted when the service stops: what waits for others lets go. */
  stopping: AbortSignal;
  development?: Development | null;
  /** The ids a test brings. */
  ids?: Ids;
  /** A store a test brings; it is closed with the core. */
  kv?: KvLike;
  /** Told once when the store does not answer and is waited for. */
  onStoreAwaited?: () => void;
}

/** The opened core. */
export interface Core {
  services: Services;
  kv: KvLike;
  limiter: RateLimiter;
  clicks: ClickCounter;
  records: PublicRecords;
  /** What `/ask` and the documentation tools search. */
  retrieval: Retrieval;
  /** Processes the processor's events as they come in. */
  events: EventPump;
  /** What processing an event takes; an operator's retry uses it too. */
  eventWork: EventWork;
  /** The whole store as a backup. */
  dump: () => ReadableStream<Uint8Array>;
  /** Rebuilds the store's indexes and tells how far it is. */
  reindex: () => AsyncIterable<object>;
  /** The version of the store's rows, and of what the service writes. */
  schema: () => Promise<{ store: number; service: number }>;
  checks: Readonly<Record<string, HealthCheck>>;
  /** Waits for commits under way and closes the store. */
  close(): Promise<void>;
}

/** Opens the store and everything that stands on it. */
export async function openCore(options: CoreOptions): Promise<Core> {
  const { config, clock, log, ids = randomIds } = options;
  const judge = await openClickJudge(config.dataDir);
  const search = await openSearch(config, log);
  const outside = openOutside({ ...options, ids });
  const { alarm } = outside;
  const opened = options.kv ?? await openStore({ ...options, alarm });
  const kv = telemetryOf(config).kv(opened);
  const probe = probeOf(options, kv, alarm);
  const { patience } = probe;
  const keys = secretKeys(config);
  const store = createStore({
    ...{ kv, clock, patience, keys },
    ...continuousBackups(config, kv, clock),
    onSpotlightsChange: (changed) =>
      changed.forEach((one) => records.apply(one)),
    ...hooksOf(() => pumps),
  });
  const records = recordsOf(options, store, search);
  await refuseUnfit(options, kv, store).catch(async (error) => {
    await probe.stop();
    await outside.close();
    kv.close();
    throw error;
  });
  const limiter = limiterOf(options, kv, probe);
  const services: Services = {
    clock,
    ids,
    store,
    ...gatedPorts(store, { ...outside, processor: openProcessor(options) }),
    archive: documentArchive(createChunkedValues({ kv, clock, ids, patience })),
    vatRegistry: budgetedRegistry(outside.vatRegistry, limiter),
    eventWaits: createEventWaits({ ...options, store, startTimer }),
    keys,
    log,
    settings: config.settings,
  };
  const pumps = openPumps(services);
  const eventWork = { services, handlers: WEBHOOK_HANDLERS, startTimer };
  const events = createEventPump(eventWork);
  const clicks = createClickCounter({ services, judge, startTimer });
  await records.refresh();
  const watch = watchRecords(options, kv, probe, records);
  const endReading = readGaugesOf(config, services, probe);
  await probe.look();
  return {
    services,
    kv,
    limiter,
    clicks,
    records,
    retrieval: { ...search, store, records, baseUrl: config.settings.baseUrl },
    events,
    eventWork,
    ...wholeStore(options, kv),
    checks: checksOf(services, kv, records, search, probe),
    async close() {
      await watch.stop();
      for (const part of [search.index, limiter, clicks, events, pumps]) {
        await part.close();
      }
      await outside.close();
      await probe.stop();
      kv.close();
      await endReading();
    },
  };
}

function openProcessor({ config, log }: CoreOptions): Processor {
  const processor = createStripeProcessor(createStripeClient(config.stripe));
  return telemetryOf(config).processor(withToldRefusals(processor, log));
}

function readGaugesOf(
  config: Config,
  services: Services,
  probe: StoreProbe,
): () => Promise<void> {
  const isStoreReached = () => probe.why === null;
  return telemetryOf(config).read({ services, jobs, isStoreReached });
}

/** What is done with the store as a whole. */
function wholeStore(
  { config, clock }: CoreOptions,
  kv: KvLike,
): Pick<Core, "dump" | "reindex" | "schema"> {
  return {
    dump: () => dump(kv, { clock, keys: backupKeys(config) }),
    reindex: () => reindex({ kv, clock, pause: () => sleep(REINDEX_PAUSE_MS) }),
    schema: async () => ({
      store: (await readSchema(kv)).row.version,
      service: SCHEMA_VERSION,
    }),
  };
}

/** What the job of backups does, where a place for them is configured. */
function continuousBackups(
  config: Config,
  kv: KvLike,
  clock: Clock,
): Pick<StoreOptions, "backUp"> {
  if (config.backups === null) return {};
  const target = backupTarget(config.backups);
  const keys = backupKeys(config);
  const waited = { version: null };
  return { backUp: () => writeBackups({ kv, clock, keys, target, waited }) };
}

/** A store that this configuration, or this version, must not be run over. */
async function refuseUnfit(
  { config, onStoreAwaited }: CoreOptions,
  kv: KvLike,
  store: Store,
): Promise<void> {
  await untilAnswered(async () => {
    await refuseOtherBackups(config, kv);
    await refuseUnreadable(kv);
    await refuseLiveDrill(config, store);
  }, { onAwaited: onStoreAwaited });
}

/**
 * A store that is empty where another one's backups are: a disk that is not
 * there, or a new machine on which the restore comes yet. Before anything is
 * written, so that the next start sees the same.
 */
async function refuseOtherBackups(
  { backups, settings }: Config,
  kv: KvLike,
): Promise<void> {
  if (backups === null || settings.environment === "development") return;
  if (!await isEmpty(kv)) return;
  if ((await backupTarget(backups).list()).length === 0) return;
  throw new ConfigError(
    "Cannot start: the store is empty and BACKUP_TO holds backups of another " +
      "store: restore them, or name another place",
  );
}

async function refuseUnreadable(kv: KvLike): Promise<void> {
  try {
    await checkSchema(kv);
  } catch (cause) {
    if (!(cause instanceof SchemaTooNew)) throw cause;
    throw new ConfigError(
      `Cannot start: the store cannot be read, ${cause.message}`,
      { cause },
    );
  }
}

/** A drill never meets real money or people, whatever it was configured with. */
async function refuseLiveDrill(
  { stripe, mailUrl, settings }: Config,
  store: Store,
): Promise<void> {
  const hold = await store.currentHold();
  if (hold?.kind !== "drill") return;
  const reachesNobody = mailUrl === "outbox:" &&
    settings.alertWebhookUrl === null;
  if (!stripe.livemode && reachesNobody) return;
  throw new ConfigError(
    "Cannot start: the store was restored with --drill, which starts only " +
      "with a test key in STRIPE_SECRET_KEY, MAIL_URL=outbox: and no " +
      "ALERT_WEBHOOK_URL",
  );
}

/** Public records that the search follows. */
function recordsOf(
  { config, log }: CoreOptions,
  store: Store,
  { index }: Search,
): PublicRecords {
  const { baseUrl } = config.settings;
  const onChange = (snapshot: PublicSnapshot) => index.show(snapshot);
  return new PublicRecords({ store, log, baseUrl, onChange });
}

function watchRecords(
  { config }: CoreOptions,
  kv: KvLike,
  { patience }: StoreProbe,
  records: PublicRecords,
): VersionWatch {
  const pollMs = config.store.kind === "file" ? POLL_MS : WATCHED_POLL_MS;
  return watchSpotlightsVersion(kv, async () => {
    // A version that could not be read counts as not seen.
    if (await records.refresh() === "failed") throw new StoreUnavailable();
  }, { pollMs, patience });
}

/** What tells the log, once each, that the store is down and that it is back. */
function probeOf(
  { log }: CoreOptions,
  kv: KvLike,
  alarm: StoreAlarm,
): StoreProbe {
  return new StoreProbe({
    kv,
    onChange(why) {
      alarm.changed(why);
      if (why === null) log.info("store.reached");
      else log.error("store.awaited", { why });
    },
  });
}

const LOCAL_LIMITS: HealthNote = {
  note: "The store does not answer: public reads go on from memory, " +
    "and each process counts them by itself",
};

function limiterOf(
  { config, clock }: CoreOptions,
  kv: KvLike,
  probe: StoreProbe,
): RateLimiter {
  const lanes = config.store.kind === "file" ? EMBEDDED_LANES : REMOTE_LANES;
  const { patience } = probe;
  return createRateLimiter({
    rows: rateBuckets(kv, { lanes, patience, nowMs: () => clock.now() }),
    clock,
    startTimer,
    hashId: keyedHash(deriveKey(config.secrets, "rate-limit")),
    isDown: () => probe.why !== null,
  });
}

function checksOf(
  services: Services,
  kv: KvLike,
  records: PublicRecords,
  { index }: Search,
  probe: StoreProbe,
): Record<string, HealthCheck> {
  return {
    limits: () => probe.why === null ? null : LOCAL_LIMITS,
    async store() {
      if (probe.why !== null) return `The store takes no writes: ${probe.why}`;
      return await findUnfinishedRestore(kv, probe.patience) !== null
        ? "A restore has not been finished: run it again"
        : null;
    },
    records: () =>
      records.loaded ? null : "The public records have not been read yet",
    search: () =>
      index.isReady ? null : "The search index has not been built yet",
    hold: () => holdNote(services.store),
    async jobs() {
      const late = await lateJobs(services, jobs);
      return late.length === 0 ? null : `Late: ${late.join(", ")}`;
    },
  };
}

/** The service answers and does not act: ready, and somebody has to know. */
async function holdNote(store: Store): Promise<HealthNote | null> {
  const hold = await store.currentHold();
  if (hold === null) return null;
  const since = isoTime(hold.restoredAtMs);
  return {
    note: hold.kind === "drill"
      ? `A drill, restored ${since}: nothing is charged, mailed or released`
      : `On hold since it was restored ${since}: release it`,
  };
}
