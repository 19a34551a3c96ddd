/**
 * The peer of the authorization server: node-oidc-provider with the in-memory
 * adapter it comes with. It runs under Node in a folder where its package.json
 * is installed; its only argument is JSON: `{port}`.
 *
 * Its own endpoints are measured: `POST /token`, where a public client turns
 * its refresh token over, and `POST /token/introspection`, where a resource
 * server checks an opaque access token. Ahead of them stand `GET /lines`, which
 * makes grants with their first tokens, and `GET /find`, which only looks a
 * token up in the process.
 */
import { createRequire } from "node:module";

// Imported by its path: Deno, which checks this folder too, has none of it.
const require = createRequire(import.meta.url);
const { Provider } = require("oidc-provider");

const { port } = JSON.parse(process.argv[2]);
/** Without `openid`, so that no ID token has to be signed. */
const SCOPE = "account:read";

const provider = new Provider(`http://127.0.0.1:${port}`, {
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
    AccessToken: 3_600,
    ClientCredentials: 3_600,
    RefreshToken: 2_592_000,
  },
});

async function newLine() {
  const client = await provider.Client.find("app");
  const grant = new provider.Grant({ accountId: "ada", clientId: "app" });
  grant.addOIDCScope(SCOPE);
  const grantId = await grant.save();
  const shared = {
    client,
    grantId,
    accountId: "ada",
    scope: SCOPE,
    gty: "authorization_code",
  };
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
  if (context.path === "/lines") {
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
