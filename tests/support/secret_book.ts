import { holds, type KnownSecret } from "./log_secrets.ts";

/** What a client or browser holds that nobody else may see. */
export type SecretKind =
  | "access token"
  | "refresh token"
  | "authorization code"
  | "verifier"
  | "assertion"
  | "cookie"
  | "e-mail code"
  | "e-mail address"
  | "form token"
  | "redirect"
  | "state"
  | MadeKind;

/** What only the tests of other surfaces pass: of payments, and of the ids. */
type MadeKind =
  | "secret"
  | "key of the service"
  | "payment credential"
  | "payment receipt";

/** A shorter text proves nothing where it is found. */
const LENGTH_MIN = 8;

/** All that a log must not hold of a flow of OAuth. */
export const EVERY_SECRET: readonly SecretKind[] = [
  "access token",
  "refresh token",
  "authorization code",
  "verifier",
  "assertion",
  "cookie",
  "e-mail code",
  "e-mail address",
  "form token",
  "redirect",
  "state",
];

/**
 * What the store may only know the hash of. Addresses are the accounts'; a
 * state is kept until it is sent back.
 */
export const HASHED_SECRETS: readonly SecretKind[] = EVERY_SECRET.filter(
  (kind) => kind !== "e-mail address" && kind !== "state",
);

/** What shows a secret even where nobody noted it. */
const SHAPES = /svc_(?:at|rt|ac)_|svc_sess(?:_preview)?=/g;

/** Where the parameters of requests and answers belong. */
const KINDS: Readonly<Record<string, SecretKind>> = {
  access_token: "access token",
  refresh_token: "refresh token",
  code_verifier: "verifier",
  client_assertion: "assertion",
  email: "e-mail address",
  state: "state",
};

/** Members of a JSON answer that are secrets. */
const ANSWERED: ReadonlySet<string> = new Set([
  "access_token",
  "refresh_token",
]);

/** As clients give it: with members that are undefined. */
type LooseInit = { [Member in keyof RequestInit]?: unknown };

/** Takes down every secret that passes, to look for it elsewhere later. */
export class SecretBook {
  readonly #secrets = new Map<string, SecretKind>();

  /** Notes one secret. */
  add(kind: SecretKind, text: string): void {
    if (text.length >= LENGTH_MIN) this.#secrets.set(text, kind);
  }

  /** Forgets what was noted, for the next test. */
  clear(): void {
    this.#secrets.clear();
  }

  /** All that was noted so far. */
  entries(): KnownSecret[] {
    return [...this.#secrets].map(([text, kind]) => [kind, text]);
  }

  /** The kinds noted so far. */
  kinds(): Set<SecretKind> {
    return new Set(this.#secrets.values());
  }

  /** What of it stands in a text, as "kind: its beginning…". */
  findIn(text: string, kinds: readonly SecretKind[] = EVERY_SECRET): string[] {
    const found = [...this.#secrets].filter(([secret, kind]) =>
      kinds.includes(kind) && holds(text, secret)
    ).map(([secret, kind]) => `${kind}: ${secret.slice(0, 4)}…`);
    return [...found, ...text.match(SHAPES) ?? []];
  }

  /** Asks for something and notes what passes in both directions. */
  readonly fetch = async (
    input: string | URL | Request,
    init?: LooseInit,
  ): Promise<Response> => {
    const request = new Request(input, init as RequestInit);
    const body = init?.body ?? await formOf(request);
    this.noteRequest(request, body);
    const response = await fetch(request, { redirect: "manual" });
    await this.noteResponse(response);
    return response;
  };

  /** Notes what a request carries, of its body what a form says. */
  noteRequest(request: Request, body: unknown): void {
    const [scheme = "", credential = ""] =
      request.headers.get("authorization")?.split(" ") ?? [];
    if (/^bearer$/i.test(scheme)) this.add("access token", credential);
    if (/^payment$/i.test(scheme)) this.add("payment credential", credential);
    for (const pair of request.headers.get("cookie")?.split("; ") ?? []) {
      this.#noteCookie(pair);
    }
    this.#noteParameters(new URL(request.url).searchParams);
    if (body instanceof URLSearchParams) this.#noteParameters(body);
    else if (typeof body === "string" && isForm(request)) {
      this.#noteParameters(new URLSearchParams(body));
    }
  }

  #noteParameters(parameters: URLSearchParams): void {
    for (const [name, value] of parameters) {
      if (name === "code") this.add(kindOfCode(value), value);
      else if (name === "token") this.add(kindOfToken(value), value);
      const kind = KINDS[name];
      if (kind !== undefined) this.add(kind, value);
    }
  }

  /** Notes what an answer carries, without using its body up. */
  async noteResponse(response: Response): Promise<void> {
    for (const cookie of response.headers.getSetCookie()) {
      this.#noteCookie(cookie);
    }
    this.add("payment receipt", response.headers.get("payment-receipt") ?? "");
    this.#noteLocation(response.headers.get("location"));
    const type = response.headers.get("content-type") ?? "";
    if (type !== "application/json" || response.body === null) return;
    this.noteMembers(await response.clone().json().catch(() => null));
  }

  /** Notes the tokens among the members of a JSON answer. */
  noteMembers(body: unknown): void {
    for (const [name, value] of Object.entries(body ?? {})) {
      const kind = KINDS[name];
      if (kind === undefined || !ANSWERED.has(name)) continue;
      if (typeof value === "string") this.add(kind, value);
    }
  }

  #noteCookie(cookie: string): void {
    const value = /^[^=]+=([^;]*)/.exec(cookie)?.[1] ?? "";
    for (const part of [value, ...value.split(".")]) this.add("cookie", part);
  }

  #noteLocation(location: string | null): void {
    const url = location === null ? null : URL.parse(location);
    if (url === null || !url.searchParams.has("iss")) return;
    this.add("redirect", url.href);
    this.#noteParameters(url.searchParams);
  }
}

function isForm(request: Request): boolean {
  return request.headers.get("content-type")
    ?.startsWith("application/x-www-form-urlencoded") ?? false;
}

/** The form of a request that was made elsewhere; empty when it has none. */
async function formOf(request: Request): Promise<string> {
  return isForm(request) ? await request.clone().text() : "";
}

function kindOfCode(value: string): SecretKind {
  return value.startsWith("svc_ac_") ? "authorization code" : "e-mail code";
}

function kindOfToken(value: string): SecretKind {
  if (value.startsWith("svc_at_")) return "access token";
  return value.startsWith("svc_rt_") ? "refresh token" : "form token";
}
