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
  | "state";

/** All that a log must not hold. */
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

/** As clients give it: with members that are undefined. */
type LooseInit = { [Member in keyof RequestInit]?: unknown };

/** Takes down every secret that passes, to look for it elsewhere later. */
export class SecretBook {
  readonly #secrets = new Map<string, SecretKind>();

  /** Notes one secret. */
  add(kind: SecretKind, text: string): void {
    if (text !== "") this.#secrets.set(text, kind);
  }

  /** All that was noted so far. */
  entries(): [SecretKind, string][] {
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
    ).map(([secret, kind]) => `${kind}: ${secret.slice(0, 12)}…`);
    return [...found, ...text.match(SHAPES) ?? []];
  }

  /** Asks for something and notes what passes in both directions. */
  readonly fetch = async (
    input: string | URL | Request,
    init?: LooseInit,
  ): Promise<Response> => {
    const request = new Request(input, init as RequestInit);
    await this.#noteRequest(request.clone());
    const response = await fetch(request, { redirect: "manual" });
    await this.#noteResponse(response);
    return response;
  };

  async #noteRequest(request: Request): Promise<void> {
    const bearer = request.headers.get("authorization") ?? "";
    if (/^Bearer /i.test(bearer)) this.add("access token", bearer.slice(7));
    this.#noteParameters(new URL(request.url).searchParams);
    const type = request.headers.get("content-type") ?? "";
    if (!type.startsWith("application/x-www-form-urlencoded")) return;
    this.#noteParameters(new URLSearchParams(await request.text()));
  }

  #noteParameters(parameters: URLSearchParams): void {
    for (const [name, value] of parameters) {
      if (name === "code") this.add(kindOfCode(value), value);
      else if (name === "token") this.add(kindOfToken(value), value);
      const kind = KINDS[name];
      if (kind !== undefined) this.add(kind, value);
    }
  }

  async #noteResponse(response: Response): Promise<void> {
    for (const cookie of response.headers.getSetCookie()) {
      const value = /^[^=]+=([^;]*)/.exec(cookie)?.[1] ?? "";
      for (const part of [value, ...value.split(".")]) this.add("cookie", part);
    }
    this.#noteLocation(response.headers.get("location"));
    const type = response.headers.get("content-type") ?? "";
    if (type !== "application/json") return;
    const body: unknown = await response.clone().json();
    for (const [name, value] of Object.entries(body ?? {})) {
      const kind = KINDS[name];
      if (kind !== undefined && typeof value === "string") {
        this.add(kind, value);
      }
    }
  }

  #noteLocation(location: string | null): void {
    const url = location === null ? null : URL.parse(location);
    if (url === null || !url.searchParams.has("iss")) return;
    this.add("redirect", url.href);
    this.#noteParameters(url.searchParams);
  }
}

/** Digits within a longer number are not the code. */
function holds(text: string, secret: string): boolean {
  if (!/^\d+$/.test(secret)) return text.includes(secret);
  return new RegExp(`(?<!\\d)${secret}(?!\\d)`).test(text);
}

function kindOfCode(value: string): SecretKind {
  return value.startsWith("svc_ac_") ? "authorization code" : "e-mail code";
}

function kindOfToken(value: string): SecretKind {
  if (value.startsWith("svc_at_")) return "access token";
  return value.startsWith("svc_rt_") ? "refresh token" : "form token";
}
