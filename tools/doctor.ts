/**
 * Looks at everything that the service needs to run, and says of each whether it
 * is well or what to do. It changes nothing and sends nothing.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { checkCertificates } from "../adapters/machine/certificates.ts";
import { checkFolder } from "../adapters/machine/folder.ts";
import { examineAll } from "../app/doctor.ts";
import { type Config, ConfigError } from "../config/config.ts";
import { loadToolConfig } from "../config/process_config.ts";
import { VERSION } from "../config/version.ts";
import { type Finding, trouble, well } from "../domain/doctor/finding.ts";
import {
  checkBackups,
  checkHops,
  checkJobs,
  checkVersions,
  PRETENDED,
  type SeenJob,
  type SeenPath,
  type SeenSchema,
} from "../domain/doctor/standing.ts";
import {
  print,
  printJson,
  runTool,
  ToolFailure,
  UsageError,
} from "./command.ts";
import { operatorClient } from "./operator_client.ts";

/** Widest name of a check, so that what is said of each begins in one column. */
const COLUMN = 14;
/** What is not known by then is said to be so. */
const PATIENCE_MS = 60_000;

if (import.meta.main) await runTool(doctor);

async function doctor(args: string[]): Promise<void> {
  const isJson = read(args);
  const findings = await examine();
  if (isJson) await printJson({ version: VERSION, findings });
  else for (const each of findings) await print(lineOf(each));
  const troubles = findings.filter(({ ok }) => !ok).length;
  if (troubles > 0) {
    throw new ToolFailure(`${troubles} of ${findings.length} need a hand`);
  }
  // Connections that are kept for another call would keep the process.
  Deno.exit();
}

function read(args: string[]): boolean {
  try {
    const options = { json: { type: "boolean", default: false } } as const;
    return parseArgs({ args, options }).values.json;
  } catch {
    throw new UsageError("Usage: doctor [--json]");
  }
}

function lineOf({ check, ok, says }: Finding): string {
  return `${ok ? "ok" : "do"}  ${check.padEnd(COLUMN)}  ${says}`;
}

/** Without a configuration that is whole there is nothing to look at. */
async function examine(): Promise<Finding[]> {
  const read = configuration();
  if (!("settings" in read)) return read;
  const groups = await Promise.all([
    outside(read),
    read.dataDir === null ? [] : checkFolder(read.dataDir),
    certificates(read),
    service(read),
  ]);
  return [well("configuration", "Every value fits."), ...groups.flat()];
}

function configuration(): Config | Finding[] {
  try {
    return loadToolConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message.split("\n")
      .map((line) =>
        trouble("configuration", line.replace(/^Cannot start: /, ""))
      );
  }
}

function outside(config: Config): Promise<Finding[]> {
  const stopping = AbortSignal.timeout(PATIENCE_MS);
  return examineAll({ config, clock: { now: () => Date.now() }, stopping });
}

function certificates({ settings, store }: Config): Promise<Finding[]> {
  const { baseUrl, authUrl, docsMcpUrl } = settings;
  const urls = [baseUrl, authUrl, docsMcpUrl];
  if (store.kind === "remote") urls.push(store.url);
  return checkCertificates(urls, Date.now());
}

/** What only the running service knows. */
async function service(config: Config): Promise<Finding[]> {
  const check = "service";
  try {
    const client = await operatorClient(config);
    const headers = { "x-forwarded-for": PRETENDED };
    const standing = await client.get("service", headers) as
      & SeenPath
      & { version: string; schema: SeenSchema };
    const { jobs } = await client.get("jobs") as { jobs: SeenJob[] };
    return [
      standing.version === VERSION
        ? well(check, `${client.baseUrl} answers, version ${VERSION}.`)
        : trouble(check, otherVersion(standing.version)),
      checkHops(standing),
      checkJobs(jobs),
      ...config.settings.environment === "development"
        ? []
        : [checkBackups(jobs, config.backups !== null)],
      checkVersions(standing.schema),
    ];
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw error;
    return [trouble(check, `${error.message}.`)];
  }
}

function otherVersion(version: string): string {
  return `Version ${version} is running, and this is ${VERSION}: start this ` +
    "one, or look with the other's.";
}
