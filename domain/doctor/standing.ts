/**
 * What a running service says of itself, judged.
 *
 * @module
 */
import { type Finding, trouble, well } from "./finding.ts";

/** A job as the operator API tells of it. */
export interface SeenJob {
  name: string;
  lastSuccessAt: string | null;
  late: boolean;
}

/** A store's version and the service's own. */
export interface SeenSchema {
  store: number;
  service: number;
}

/** The job that writes continuous backups. */
const BACKUP_JOB = "back up store";

/** Whether every job has done its work lately. */
export function checkJobs(jobs: readonly SeenJob[]): Finding {
  const late = jobs.filter((job) => job.late).map(({ name }) => name);
  return late.length === 0
    ? well("jobs", `All ${jobs.length} have done their work in time.`)
    : trouble(
      "jobs",
      `Late: ${late.join(", ")}. The log says why (job.failed).`,
    );
}

/** Whether there is a backup, and of when. */
export function checkBackups(
  jobs: readonly SeenJob[],
  isSet: boolean,
): Finding {
  const check = "backups";
  if (!isSet) {
    return trouble(
      check,
      "BACKUP_TO is not set: name a folder on another disk or a bucket, or " +
        "see to `deno task backup` every night.",
    );
  }
  const job = jobs.find(({ name }) => name === BACKUP_JOB);
  const last = job?.lastSuccessAt ?? null;
  if (last === null || job?.late) {
    const says = `The last was ${last ?? "never"} written: the log says why ` +
      "(job.failed, back up store).";
    return trouble(check, says);
  }
  return well(check, `The last changes were written at ${last}.`);
}

/** Whether the rows of the store are of the service's version. */
export function checkVersions({ store, service }: SeenSchema): Finding {
  const check = "schema";
  return store === service
    ? well(check, `The store is of version ${store}, as the service is.`)
    : trouble(
      check,
      `The store is of version ${store}, the service of ${service}: wait ` +
        "for the job migrate store (store.migrating in the log).",
    );
}

/** What the service sees of how a request came to it. */
export interface SeenPath {
  /** `TRUSTED_PROXY_HOPS`. */
  trusted_proxy_hops: number;
  /** The entries of X-Forwarded-For, the nearest proxy's last. */
  forwarded_for: readonly string[];
}

/** An address that nobody has, which a request pretends to come from. */
export const PRETENDED = "192.0.2.99";

/** Whether as many proxies write X-Forwarded-For as the service believes. */
export function checkHops(
  { trusted_proxy_hops: trusted, forwarded_for }: SeenPath,
): Finding {
  const check = "proxies";
  const hops = forwarded_for.length - 1 - forwarded_for.lastIndexOf(PRETENDED);
  if (hops === trusted) {
    return well(check, `${hops} write X-Forwarded-For, as is believed.`);
  }
  const danger = hops < trusted
    ? "clients could choose the address that they are counted by"
    : "clients are counted by a proxy's address, all as one";
  const says = `${hops} write X-Forwarded-For, and ${trusted} are believed: ` +
    `${danger}. Set TRUSTED_PROXY_HOPS=${hops}.`;
  return trouble(check, says);
}
