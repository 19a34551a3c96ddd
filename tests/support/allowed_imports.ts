import { type Import, targetOf } from "./import_graph.ts";
import type { ModuleFacts } from "./module_facts.ts";

/** The parts of the code, by the beginning of a path; the longest counts. */
export const AREAS = [
  "adapters/backup/",
  "adapters/clicks/",
  "adapters/crypto/",
  "adapters/fetcher/",
  "adapters/images/",
  "adapters/machine/",
  "adapters/mail/",
  "adapters/search/",
  "adapters/stripe/",
  "adapters/telemetry/",
  "adapters/time/",
  "adapters/vies/",
  "adapters/webauthn/",
  "app/",
  "clients/",
  "config/",
  "cron/",
  "domain/",
  "jsr/",
  "kv/",
  "routes/",
  "simulators/stripe/",
  "simulators/vies/",
  "tests/",
  "tools/",
  "tools/client/",
  "tools/demo/",
] as const;

/** What lies at the top: the process, its settings, and folders. */
const ROOT_AREA = "";

/** A part, by the beginning of its paths. */
export type Area = typeof AREAS[number] | typeof ROOT_AREA;

/** What the composition joins: all that is installed with the service. */
const JOINED: readonly Area[] = [
  "adapters/backup/",
  "adapters/clicks/",
  "adapters/crypto/",
  "adapters/fetcher/",
  "adapters/images/",
  "adapters/machine/",
  "adapters/mail/",
  "adapters/search/",
  "adapters/stripe/",
  "adapters/telemetry/",
  "adapters/time/",
  "adapters/vies/",
  "adapters/webauthn/",
  "config/",
  "cron/",
  "domain/",
  "kv/",
  "routes/",
];

/** What a tool may drive: everything but the routes, which it asks by HTTP. */
const DRIVEN: readonly Area[] = [
  "adapters/backup/",
  "adapters/crypto/",
  "adapters/machine/",
  "adapters/stripe/",
  "app/",
  "config/",
  "cron/",
  "domain/",
  "kv/",
  "simulators/stripe/",
  "tests/",
  "tools/demo/",
];

/** Which other parts a part may import, and which packages. */
const ALLOWED: Readonly<
  Record<Area, { areas: readonly Area[] | "all"; packages: RegExp | null }>
> = {
  "": { areas: ["app/", "config/"], packages: null },
  "adapters/backup/": {
    areas: ["adapters/time/", "domain/"],
    packages: /^(aws4fetch|node:fs\/promises)$/,
  },
  "adapters/clicks/": {
    areas: ["domain/"],
    packages: /^(@ip-location-db\/.+|isbot|mmdb-lib|node:buffer)$/,
  },
  "adapters/crypto/": { areas: ["domain/"], packages: /^node:buffer$/ },
  "adapters/fetcher/": {
    areas: ["adapters/time/", "domain/"],
    packages: /^node:(buffer|dns\/promises|http|net|stream|tls)$/,
  },
  "adapters/images/": {
    areas: ["domain/"],
    packages:
      /^(@expo-google-fonts\/.+|@resvg\/resvg-wasm(\/index_bg\.wasm)?|node:zlib)$/,
  },
  "adapters/machine/": {
    areas: ["adapters/time/", "domain/"],
    packages: /^node:(fs\/promises|tls)$/,
  },
  "adapters/mail/": {
    areas: ["adapters/time/", "domain/"],
    packages: /^(nodemailer|node:net)$/,
  },
  "adapters/search/": {
    areas: ["adapters/time/", "domain/"],
    packages: /^@orama\/(orama|stemmers\/english)$/,
  },
  "adapters/stripe/": {
    areas: ["adapters/time/", "domain/"],
    packages: /^(stripe|node:crypto)$/,
  },
  "adapters/telemetry/": { areas: [], packages: /^@opentelemetry\/api$/ },
  "adapters/time/": { areas: ["domain/"], packages: null },
  "adapters/vies/": {
    areas: ["domain/"],
    packages: /^(jsvat|zod|node:http)$/,
  },
  "adapters/webauthn/": {
    areas: ["domain/"],
    packages: /^(@simplewebauthn\/server(\/helpers)?|zod|node:buffer)$/,
  },
  "app/": { areas: JOINED, packages: null },
  // Installed by whoever uses the service, and so by itself.
  "clients/": { areas: [], packages: /^node:/ },
  "config/": {
    areas: ["domain/"],
    packages: /^(zod|node:(crypto|buffer))$/,
  },
  "cron/": { areas: ["adapters/time/", "domain/"], packages: null },
  "domain/": {
    areas: [],
    packages: /^(@noble\/hashes\/sha2\.js|node:crypto)$/,
  },
  "jsr/": { areas: [], packages: /^node:assert/ },
  "kv/": {
    areas: ["adapters/time/", "domain/"],
    packages: /^node:(crypto|buffer)$/,
  },
  "routes/": {
    areas: ["adapters/time/", "domain/"],
    packages:
      /^(@expo-google-fonts\/arimo\/.+|@fontsource-variable\/.+|@hono\/hono(\/.*)?|@modelcontextprotocol\/server|@panva\/jose|marked|zod|@std\/http|node:(crypto|zlib))$/,
  },
  "simulators/stripe/": {
    areas: [],
    packages: /^(zod|pdf-lib|@pdf-lib\/fontkit|@std\/http|node:\w+)$/,
  },
  "simulators/vies/": { areas: [], packages: /^(zod|node:http)$/ },
  "tests/": { areas: "all", packages: /./ },
  "tools/": { areas: DRIVEN, packages: /./ },
  "tools/client/": { areas: ["routes/", "tools/"], packages: null },
  "tools/demo/": {
    areas: ["app/", "domain/", "routes/", "simulators/vies/"],
    packages: /^zod$/,
  },
};

/** The one module of routes/ that is for others: which address is which host. */
const HOSTS = "routes/hosts.ts";

/** The part that a module belongs to. */
export function areaOf(path: string): Area {
  const matching = AREAS.filter((area) => path.startsWith(area));
  return matching.toSorted((a, b) => b.length - a.length)[0] ?? ROOT_AREA;
}

/** What a module may not import, as it is written there. */
export function forbiddenImports({ path, imports }: ModuleFacts): string[] {
  const area = areaOf(path);
  const { areas, packages } = ALLOWED[area];
  return imports.filter((source) => {
    const target = targetOf(path, source);
    if (target === null) return packages?.test(source) !== true;
    if (target === HOSTS && area === "tools/") return false;
    const to = areaOf(target);
    return to !== area && areas !== "all" && !areas.includes(to);
  }).map((source) => `${path} imports ${source}`);
}

/** What is installed with the service; the rest is of tests and of tools. */
export const PRODUCTION =
  /^(main\.ts|(adapters|app|config|cron|domain|kv|routes)\/.*)$/;

/**
 * Imports of the service's that lead out of it: to simulators, tools and tests,
 * or to what only a run makes up.
 */
export function importsOutOfService(
  { path, imports }: ModuleFacts,
): string[] {
  if (!PRODUCTION.test(path)) return [];
  return imports.filter((source) => {
    const target = targetOf(path, source);
    return source === "?" || target !== null && !PRODUCTION.test(target);
  }).map((source) => `${path} → ${targetOf(path, source) ?? source}`);
}

/** The folder of the host that a module answers for; null for the rest. */
function hostOf(path: string): string | null {
  return /^routes\/(auth|docs_mcp|site)\//.exec(path)?.[0] ?? null;
}

/** Imports of a host's own files by others than itself and the composition. */
export function importsIntoHosts(imports: readonly Import[]): Import[] {
  return imports.filter(({ from, to }) => {
    const host = hostOf(to);
    return host !== null && hostOf(from) !== host && !from.startsWith("app/");
  });
}
