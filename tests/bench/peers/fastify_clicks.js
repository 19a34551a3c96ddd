/**
 * The peer of clicks: Fastify 5 redirects, better-sqlite3 counts, in batches as
 * this service does: collected in memory, written in one transaction every 250
 * ms. Visitors are told apart by a hash and repeats within 30 minutes left out;
 * bots by a short pattern. It runs under Node in a folder where its package.json
 * is installed; its only argument is JSON: `{port, databasePath, limiter, day,
 * location}`, where the limiter is "none" or "sqlite", the durable one.
 */
import { createHash, randomBytes } from "node:crypto";
import { createRequire } from "node:module";

// Required, not imported: Deno, which checks this folder too, has none of them.
const require = createRequire(import.meta.url);
const Database = require("better-sqlite3");
const Fastify = require("fastify");
const { RateLimiterSQLite } = require("rate-limiter-flexible");

const POINTS = 60;
const DURATION_S = 60;
const BOOK_EVERY_MS = 250;
const REPEAT_WITHIN_MS = 30 * 60_000;
const BOT = /bot|crawl|spider|preview|curl|wget|python|headless/i;

const { port, databasePath, limiter: kind, day, location } = JSON.parse(
  process.argv[2],
);

const database = new Database(databasePath);
database.pragma("journal_mode = WAL");
database.pragma("synchronous = NORMAL");
database.exec(`
  CREATE TABLE counts (day TEXT, name TEXT, count INTEGER,
    PRIMARY KEY (day, name)) WITHOUT ROWID;
  CREATE TABLE visitors (hash TEXT PRIMARY KEY, until_ms INTEGER) WITHOUT ROWID;
`);
const add = database.prepare(`INSERT INTO counts VALUES (?, ?, ?)
  ON CONFLICT (day, name) DO UPDATE SET count = count + excluded.count`);
const find = database.prepare("SELECT until_ms FROM visitors WHERE hash = ?");
const keep = database.prepare("INSERT OR REPLACE INTO visitors VALUES (?, ?)");

const limiter = kind === "none"
  ? null
  : await new Promise((resolve, reject) => {
    const durable = new RateLimiterSQLite({
      points: POINTS,
      duration: DURATION_S,
      storeClient: database,
      storeType: "better-sqlite3",
      tableName: "buckets",
    }, (error) => error ? reject(error) : resolve(durable));
  });

const salt = randomBytes(32).toString("base64url");
/** Known repeats, as this service remembers them. */
const known = new Map();
let waiting = [];

const book = database.transaction((clicks) => {
  const counts = new Map();
  const count = (name) => counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const { outcome, hash, atMs } of clicks) {
    if (outcome !== null) {
      count(outcome);
      continue;
    }
    const standing = find.get(hash);
    if (standing !== undefined && atMs < standing.until_ms) {
      known.set(hash, standing.until_ms);
      count("repeat");
      continue;
    }
    keep.run(hash, atMs + REPEAT_WITHIN_MS);
    known.set(hash, atMs + REPEAT_WITHIN_MS);
    count("human");
  }
  for (const [name, number] of counts) add.run(day, name, number);
});

setInterval(() => {
  if (waiting.length === 0) return;
  const clicks = waiting;
  waiting = [];
  book(clicks);
}, BOOK_EVERY_MS);

function note(request) {
  const atMs = Date.now();
  const userAgent = request.headers["user-agent"] ?? "";
  if (userAgent === "" || BOT.test(userAgent)) {
    waiting.push({ outcome: "bot", hash: "", atMs });
    return;
  }
  const hash = createHash("sha256")
    .update(`${salt}\n${day}\n${request.ip}\n${userAgent}`)
    .digest("base64url").slice(0, 22);
  const isKnown = atMs < (known.get(hash) ?? 0);
  waiting.push({ outcome: isKnown ? "repeat" : null, hash, atMs });
}

// One proxy of our own. A number of hops is refused by Fastify since 5.12.
const app = Fastify({ trustProxy: (_, hop) => hop < 1, logger: false });

app.get("/go/:day", async (request, reply) => {
  if (request.params.day !== day) return reply.code(404).send();
  if (limiter !== null) {
    try {
      await limiter.consume(request.ip);
    } catch (refused) {
      if (refused instanceof Error) throw refused;
      return reply.code(429).send();
    }
  }
  note(request);
  return reply.header("cache-control", "no-store").redirect(location, 302);
});

app.get("/healthz", (_, reply) => reply.send({ status: "ok" }));

process.on("SIGTERM", async () => {
  await app.close();
  book(waiting);
  database.close();
  process.exit(0);
});

await app.listen({ host: "127.0.0.1", port });
