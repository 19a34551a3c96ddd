/**
 * The peer of the authorization server: node-oidc-provider with the in-memory
 * adapter it comes with. It runs under Node in a folder where its package.json
 * is installed; its only argument is JSON: `{port}`.
 *
 * `POST /token` issues an opaque access token for client credentials, which is
 * the cheapest it does; `GET /check` finds one as the library's own endpoints
 * do, ahead of everything else.
 */
import { createRequire } from "node:module";

// Imported by its path: Deno, which checks this folder too, has none of it.
const require = createRequire(import.meta.url);
const { Provider } = require("oidc-provider");

const { port } = JSON.parse(process.argv[2]);

const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients: [{
    client_id: "bench",
    client_secret: "bench-secret",
    grant_types: ["client_credentials"],
    redirect_uris: [],
    response_types: [],
    token_endpoint_auth_method: "client_secret_post",
    scope: "account:read",
  }],
  scopes: ["account:read"],
  features: {
    clientCredentials: { enabled: true },
    devInteractions: { enabled: false },
  },
  ttl: { ClientCredentials: 3_600 },
});

provider.use(async (context, next) => {
  if (context.path !== "/check") return await next();
  const token = context.get("authorization").slice("Bearer ".length);
  const found = await provider.ClientCredentials.find(token);
  context.status = found?.isValid ? 200 : 401;
  context.body = "{}";
});

const server = provider.listen(port, "127.0.0.1");

process.on("SIGTERM", () => server.close(() => process.exit(0)));
