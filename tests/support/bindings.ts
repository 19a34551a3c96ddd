import type { AppEnv } from "../../routes/context.ts";
import type { HostApp } from "../../routes/route_table.ts";

/** What a host is given with a request, for tests that need no listener. */
export function bindings(remoteAddress = "192.0.2.1"): AppEnv["Bindings"] {
  return {
    remoteAddress,
    trace: { requestId: "req_1", route: "", grantId: null },
  };
}

/** Asks a host without a listener. */
export async function ask(
  app: HostApp,
  path: string,
  init?: RequestInit,
  env: AppEnv["Bindings"] = bindings(),
): Promise<Response> {
  const request = new Request(`https://spotlight.example${path}`, init);
  return await app.fetch(request, env);
}
