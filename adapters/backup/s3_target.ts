import { AwsClient } from "aws4fetch";
import { abortAfter } from "../time/system_time.ts";
import { StoreUnavailable } from "../../domain/failure.ts";
import type { BackupTarget } from "../../domain/operations/backup_target.ts";

/** How a bucket is reached. */
export interface S3Options {
  /** With the bucket, and a folder in it or none, in its path. */
  address: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/** Longest that one call may take. */
const CALL_MS = 30_000;
/** Pages of 1,000 names that a list may have. */
const MAX_PAGES = 1_000;

/**
 * Keeps backups in a bucket of Amazon S3 or anything that speaks its protocol,
 * named in the path. Every call is signed (Signature Version 4), with the hash
 * of what is sent.
 */
export function s3Target(options: S3Options): BackupTarget {
  const { region, accessKeyId, secretAccessKey } = options;
  // A turn that failed is tried again as a whole.
  const client = new AwsClient({
    accessKeyId,
    secretAccessKey,
    service: "s3",
    region,
    retries: 0,
  });
  const base = new URL(options.address);
  const [, bucket = "", folder = ""] =
    /^\/([^/]+)(?:\/(.*))?$/.exec(base.pathname) ?? [];
  const prefix = folder === "" ? "" : `${folder.replace(/\/$/, "")}/`;
  const urlOf = (name: string) => `${base.origin}/${bucket}/${prefix}${name}`;

  async function call(
    url: string,
    init: RequestInit = {},
  ): Promise<Uint8Array<ArrayBuffer>> {
    const { signal, callOff } = abortAfter(CALL_MS);
    try {
      const response = await client.fetch(url, { ...init, signal });
      // All of it, while the time runs.
      const bytes = new Uint8Array(await response.arrayBuffer());
      if (response.ok) return bytes;
      throw new StoreUnavailable(
        `The bucket of the backups answered ${response.status}`,
      );
    } finally {
      callOff();
    }
  }

  async function page(token: string | null): Promise<string> {
    const query = new URLSearchParams({ "list-type": "2", prefix });
    if (token !== null) query.set("continuation-token", token);
    const bytes = await call(`${base.origin}/${bucket}?${query}`);
    return new TextDecoder().decode(bytes);
  }

  return {
    async put(name, bytes) {
      const headers = { "x-amz-content-sha256": await sha256(bytes) };
      const init = { method: "PUT", headers, body: bytes };
      await call(urlOf(name), init);
    },
    async list() {
      const names: string[] = [];
      let token: string | null = null;
      for (let pages = 0; pages < MAX_PAGES; pages++) {
        const xml: string = await page(token);
        for (const [, key = ""] of xml.matchAll(/<Key>([^<]*)<\/Key>/g)) {
          const name = unescaped(key).slice(prefix.length);
          if (isOfSeries(name)) names.push(name);
        }
        token = /<NextContinuationToken>([^<]*)</.exec(xml)?.[1] ?? null;
        if (token === null) return names.sort();
        token = unescaped(token);
      }
      throw new StoreUnavailable("The bucket of the backups never ends");
    },
    get: (name) => call(urlOf(name)),
  };
}

/** Folders below are other stores' backups. */
function isOfSeries(name: string): boolean {
  return name.split("/").length === 2;
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", bytes);
  return new Uint8Array(hash).toHex();
}

function unescaped(xml: string): string {
  return xml.replaceAll("&lt;", "<").replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"').replaceAll("&apos;", "'")
    .replaceAll("&amp;", "&");
}
