import { createHash, createHmac } from "node:crypto";

/** A bucket on this machine; every call's signature is worked out anew. */
export interface S3Server extends AsyncDisposable {
  url: string;
  objects: Map<string, Uint8Array<ArrayBuffer>>;
  /** Statuses answered so far. */
  statuses: number[];
}

/** What calls have to be signed with. */
export const S3_CREDENTIALS = {
  accessKeyId: "AKIDEXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
  region: "eu-test-1",
} as const;

/** Names in one page of a list. */
const PAGE = 2;

/** Serves one bucket, `backups`, as Amazon S3 does. */
export function startS3Server(): S3Server {
  const objects = new Map<string, Uint8Array<ArrayBuffer>>();
  const statuses: number[] = [];
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request) => {
      const body = new Uint8Array(await request.arrayBuffer());
      const response = isSigned(request, body)
        ? answer(objects, request, body)
        : new Response("<Error>SignatureDoesNotMatch</Error>", { status: 403 });
      statuses.push(response.status);
      return response;
    },
  );
  return {
    url: `http://127.0.0.1:${server.addr.port}/backups`,
    objects,
    statuses,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

function answer(
  objects: Map<string, Uint8Array<ArrayBuffer>>,
  request: Request,
  body: Uint8Array<ArrayBuffer>,
): Response {
  const url = new URL(request.url);
  const [, bucket, name = ""] = /^\/([^/]+)\/?(.*)$/.exec(url.pathname) ?? [];
  if (bucket !== "backups") return new Response(null, { status: 404 });
  if (request.method === "PUT") {
    objects.set(name, body);
    return new Response(null);
  }
  if (name === "") return listed(objects, url.searchParams);
  const found = objects.get(name);
  return new Response(found ?? null, { status: found ? 200 : 404 });
}

function listed(
  objects: Map<string, unknown>,
  query: URLSearchParams,
): Response {
  const from = Number(query.get("continuation-token") ?? "0");
  const names = [...objects.keys()].sort()
    .filter((name) => name.startsWith(query.get("prefix") ?? ""));
  const keys = names.slice(from, from + PAGE)
    .map((name) => `<Contents><Key>${name}</Key></Contents>`);
  const next = from + PAGE < names.length
    ? `<NextContinuationToken>${from + PAGE}</NextContinuationToken>`
    : "";
  return new Response(
    `<ListBucketResult>${keys.join("")}${next}</ListBucketResult>`,
  );
}

/** Signature Version 4, as its reference describes it. */
function isSigned(
  { method, url, headers }: Request,
  body: Uint8Array,
): boolean {
  const [, scope = "", signed = "", signature = ""] =
    /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/
      .exec(headers.get("authorization") ?? "") ?? [];
  const [day = "", region, service, end] = scope.split("/");
  const time = headers.get("x-amz-date") ?? "";
  const isOurs = region === S3_CREDENTIALS.region && service === "s3" &&
    end === "aws4_request" && time.startsWith(day);
  const hash = headers.get("x-amz-content-sha256") ?? "";
  const isWhole = hash === sha256(body) ||
    body.length === 0 && hash === "UNSIGNED-PAYLOAD";
  const names = signed.split(";");
  if (!isOurs || !isWhole || !names.includes("x-amz-content-sha256")) {
    return false;
  }
  const { host, pathname, searchParams } = new URL(url);
  const canonical = [
    method,
    pathname,
    [...searchParams].map((pair) => pair.map(escaped).join("=")).sort()
      .join("&"),
    ...names.map((name) =>
      `${name}:${name === "host" ? host : headers.get(name)?.trim()}`
    ),
    "",
    signed,
    hash,
  ].join("\n");
  const text = ["AWS4-HMAC-SHA256", time, scope, sha256(canonical)].join("\n");
  const key = [day, S3_CREDENTIALS.region, "s3", "aws4_request"].reduce<
    string | Uint8Array
  >(hmac, `AWS4${S3_CREDENTIALS.secretAccessKey}`);
  return hmac(key, text).toHex() === signature;
}

function hmac(key: string | Uint8Array, text: string): Uint8Array {
  return new Uint8Array(createHmac("sha256", key).update(text).digest());
}

function sha256(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}

function escaped(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
