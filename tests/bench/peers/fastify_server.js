/**
 * The peer: Fastify 5, better-sqlite3 and rate-limiter-flexible, written as
 * their manuals say.
 * It runs under Node in a folder where its package.json is installed; its only
 * argument is JSON: `{port, databasePath, limiter, record}`, where the limiter is
 * "sqlite" (durable, as its manual sets it up), "sqlite_blocking" (the same, but
 * refusing from memory what is known to be spent) or "memory".
 */
import { createRequire } from "node:module";

// Required, not imported: Deno, which checks this folder too, has none of them.
const require = createRequire(import.meta.url);
const Database = require("better-sqlite3");
const Fastify = require("fastify");
const { RateLimiterMemory, RateLimiterSQLite } = require(
  "rate-limiter-flexible",
);

const POINTS = 120;
/** 120 points a minute are the 2 a second of the bucket. */
const DURATION_S = 60;
const POLICY = '"agent";q=120;svc-refill=2';

const { port, databasePath, limiter: kind, record } = JSON.parse(
  process.argv[2],
);

const database = new Database(databasePath);
database.pragma("journal_mode = WAL");
database.pragma("synchronous = NORMAL");
database.exec(`CREATE TABLE spotlights (
  day TEXT PRIMARY KEY, headline TEXT, description TEXT, advertiser TEXT,
  canonicalUrl TEXT, contentType TEXT) WITHOUT ROWID`);
database.prepare(`INSERT INTO spotlights VALUES (
  @day, @headline, @description, @advertiser, @canonicalUrl, @contentType)`)
  .run(record);
const find = database.prepare("SELECT * FROM spotlights WHERE day = ?");

const limiter = await makeLimiter();

/** One that forgets with its process, or one in the database. */
function makeLimiter() {
  const options = { points: POINTS, duration: DURATION_S };
  if (kind === "memory") return new RateLimiterMemory(options);
  return new Promise((resolve, reject) => {
    const durable = new RateLimiterSQLite({
      ...options,
      storeClient: database,
      storeType: "better-sqlite3",
      tableName: "buckets",
      ...kind === "sqlite_blocking" && { inMemoryBlockOnConsumed: POINTS + 1 },
    }, (error) => error ? reject(error) : resolve(durable));
  });
}

// One proxy of our own. A number of hops is refused by Fastify since 5.12.
const app = Fastify({ trustProxy: (_, hop) => hop < 1, logger: false });

app.addHook("onRequest", async (request, reply) => {
  try {
    const { remainingPoints } = await limiter.consume(request.ip);
    reply.headers({
      "ratelimit-policy": POLICY,
      "ratelimit": `"agent";r=${remainingPoints}`,
    });
  } catch (refused) {
    if (refused instanceof Error) throw refused;
    const retryAfterS = Math.max(1, Math.ceil(refused.msBeforeNext / 1_000));
    return reply.code(429).headers({
      "ratelimit-policy": POLICY,
      "ratelimit": '"agent";r=0',
      "retry-after": retryAfterS,
      "cache-control": "no-store",
      "content-type": "application/problem+json",
    }).send(JSON.stringify({
      type: "https://spotlight.example/problems/rate-limited",
      title: "Too many requests",
      status: 429,
      detail: "Cannot answer now: the bucket of this address is empty, " +
        `retry in ${retryAfterS} seconds`,
      docs: "https://spotlight.example/developers.md",
    }));
  }
});

const text = { type: "string" };
const schema = {
  params: {
    type: "object",
    properties: { day: { type: "string", pattern: "^\\d{4}-\\d\\d-\\d\\d$" } },
  },
  response: {
    200: {
      type: "object",
      properties: {
        data: {
          type: "object",
          properties: {
            day: text,
            headline: text,
            description: text,
            advertiser: text,
            canonicalUrl: text,
            contentType: text,
          },
        },
      },
    },
  },
};

app.get("/api/v1/spotlights/:day", { schema }, (request, reply) => {
  const data = find.get(request.params.day);
  if (data === undefined) return reply.code(404).send();
  reply.header("cache-control", "private, no-cache");
  reply.send({ data });
});

app.get("/healthz", (_, reply) => reply.send({ status: "ok" }));

process.on("SIGTERM", async () => {
  await app.close();
  database.close();
  process.exit(0);
});

await app.listen({ host: "127.0.0.1", port });
