/**
 * The peer of the authorization server: node-oidc-provider with the in-memory
 * adapter it comes with. It runs under Node in a folder where its package.json
 * is installed; its only argument is JSON: `{port, adapter}`. The adapter is
 * `its own`, the same made `larger`, or `map`, which forgets nothing and keeps
 * the same in less time.
 *
 * Its own endpoints are measured: `POST /token`, where a public client
 * exchanges its code or turns its refresh token over, and `POST /token/introspection`, where a resource
 * server checks an opaque access token. Ahead of them stand `GET /lines`, which
 * makes grants with their first tokens, `GET /codes`, and `GET /find`, which only looks a
 * token up in the process.
 */
import { createHash, randomBytes } from "node:crypto";
import { createRequire } from "node:module";

// Imported by its path: Deno, which checks this folder too, has none of it.
const require = createRequire(import.meta.url);
const { Provider } = require("oidc-provider");

const { default: MemoryAdapter, setStorage } = require(
  "oidc-provider/lib/adapters/memory_adapter.js",
);
const { default: Lru } = require("oidc-provider/lib/helpers/lru.js");

const { port, adapter } = JSON.parse(process.argv[2]);
/** Without `openid`, so that no ID token has to be signed. */
const SCOPE = "account:read";

/** Entries that are enough for all codes, and what comes of them. */
const LARGER = 400_000;

/** Its own adapter goes through all tokens of a grant at each save. */
class MapAdapter {
  static #entries = new Map();
  static #grants = new Map();
  #kind;

  constructor(kind) {
    this.#kind = kind;
  }

  #key(id) {
    return `${this.#kind}:${id}`;
  }

  upsert(id, payload) {
    const key = this.#key(id);
    MapAdapter.#entries.set(key, payload);
    const { grantId } = payload;
    if (grantId === undefined) return;
    const members = MapAdapter.#grants.get(grantId);
    if (members === undefined) MapAdapter.#grants.set(grantId, [key]);
    else members.push(key);
  }

  find(id) {
    return MapAdapter.#entries.get(this.#key(id));
  }

  consume(id) {
    const entry = MapAdapter.#entries.get(this.#key(id));
    entry.consumed = Math.floor(Date.now() / 1_000);
  }

  destroy(id) {
    MapAdapter.#entries.delete(this.#key(id));
  }

  revokeByGrantId(grantId) {
    for (const key of MapAdapter.#grants.get(grantId) ?? []) {
      MapAdapter.#entries.delete(key);
    }
    MapAdapter.#grants.delete(grantId);
  }

  static clear() {
    MapAdapter.#entries.clear();
    MapAdapter.#grants.clear();
  }
}

/**
 * Its own adapter keeps the last thousand entries or two, too few for codes that
 * are all made before they are exchanged.
 */
function clear() {
  MapAdapter.clear();
  if (adapter === "larger") setStorage(new Lru({ maxSize: LARGER }));
}

clear();

const provider = new Provider(`http://127.0.0.1:${port}`, {
  ...adapter === "map" && { adapter: MapAdapter },
  ...adapter === "larger" && { adapter: (kind) => new MemoryAdapter(kind) },
  clients: [{
    client_id: "app",
    grant_types: ["authorization_code", "refresh_token"],
    redirect_uris: ["http://127.0.0.1/callback"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
    application_type: "native",
  }, {
    client_id: "bench",
    client_secret: "bench-secret",
    grant_types: ["client_credentials"],
    redirect_uris: [],
    response_types: [],
    token_endpoint_auth_method: "client_secret_post",
  }],
  // Without `offline_access` it knows no refresh tokens.
  scopes: [SCOPE, "offline_access"],
  issueRefreshToken: () => true,
  rotateRefreshToken: true,
  findAccount: (_context, accountId) => ({
    accountId,
    claims: () => ({ sub: accountId }),
  }),
  features: {
    clientCredentials: { enabled: true },
    devInteractions: { enabled: false },
    introspection: { enabled: true },
  },
  ttl: {
    AuthorizationCode: 60,
    AccessToken: 3_600,
    ClientCredentials: 3_600,
    RefreshToken: 2_592_000,
  },
});

const REDIRECT_URI = "http://127.0.0.1/callback";

async function newGrant() {
  const client = await provider.Client.find("app");
  const grant = new provider.Grant({ accountId: "ada", clientId: "app" });
  grant.addOIDCScope(SCOPE);
  const grantId = await grant.save();
  return { client, grantId, accountId: "ada", scope: SCOPE };
}

async function newCodes(count) {
  const verifier = randomBytes(32).toString("base64url");
  const codeChallenge = createHash("sha256").update(verifier)
    .digest("base64url");
  const codes = [];
  for (let nth = 0; nth < count; nth++) {
    const code = new provider.AuthorizationCode({
      ...await newGrant(),
      codeChallenge,
      codeChallengeMethod: "S256",
      redirectUri: REDIRECT_URI,
    });
    codes.push(await code.save());
  }
  return { codes, verifier, redirectUri: REDIRECT_URI };
}

async function newLine() {
  const shared = { ...await newGrant(), gty: "authorization_code" };
  return {
    refreshToken: await new provider.RefreshToken(shared).save(),
    accessToken: await new provider.AccessToken(shared).save(),
  };
}

async function newLines(count) {
  const lines = [];
  for (let nth = 0; nth < count; nth++) lines.push(await newLine());
  return lines;
}

provider.use(async (context, next) => {
  if (context.path === "/codes") {
    clear();
    context.body = await newCodes(Number(context.query.count ?? 0));
  } else if (context.path === "/lines") {
    clear();
    context.body = await newLines(Number(context.query.count ?? 0));
  } else if (context.path === "/find") {
    const token = context.get("authorization").slice("Bearer ".length);
    const found = await provider.AccessToken.find(token);
    context.status = found?.isValid ? 200 : 401;
    context.body = "{}";
  } else await next();
});

const server = provider.listen(port, "127.0.0.1");

process.on("SIGTERM", () => server.close(() => process.exit(0)));
