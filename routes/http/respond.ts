/**
 * The one way in which answers are made and given headers, so that each that is
 * large is sent in pieces, and is counted until its client has taken it, and none
 * has a header that can't be sent.
 *
 * @module
 */
import { strongEtag } from "../../domain/spotlights/public_record.ts";
import { compress, type Encoding } from "./content_encoding.ts";
import { largeBody, type Piece, piecesOf } from "./large_body.ts";
import { allSendable, sendable } from "./sendable.ts";
import { sharedPieces } from "./shared_pieces.ts";

/** Texts of so many characters, and files of so many bytes, are large. */
export const LARGE_FROM = 16_384;

/** What an answer has besides its body; names of headers in small letters. */
export interface AnswerInit {
  status?: number;
  headers?: Readonly<Record<string, string>>;
}

/** A text that many answers share, and so the bytes of it. */
export class SharedText {
  readonly text: string;
  readonly etag: string;
  readonly #encoded = new Map<Encoding, Promise<readonly Piece[]>>();
  #pieces: readonly Piece[] | null = null;

  constructor(text: string) {
    this.text = text;
    this.etag = strongEtag(text);
  }

  /** Its bytes, made once. */
  get pieces(): readonly Piece[] {
    return this.#pieces ??= piecesOf(new TextEncoder().encode(this.text));
  }

  /** The same compressed, made once and kept as long as the text. */
  encoded(encoding: Encoding): Promise<readonly Piece[]> {
    const before = this.#encoded.get(encoding);
    if (before !== undefined) return before;
    const bytes = new TextEncoder().encode(this.text);
    const made = compress(bytes, encoding).then(piecesOf);
    this.#encoded.set(encoding, made);
    return made;
  }
}

/** A file that many answers share. */
export class SharedFile {
  readonly etag: string;
  readonly pieces: readonly Piece[];

  constructor(bytes: Piece) {
    this.etag = strongEtag(bytes);
    this.pieces = piecesOf(bytes);
  }
}

/** An answer that the route table counts until its client has taken it. */
export class LargeAnswer extends Response {
  /** Bytes that no other answer has: none of a text that is shared. */
  readonly ownBytes: number;

  constructor(
    body: ReadableStream<Piece>,
    { length, ownBytes }: { length: number; ownBytes: number },
    init?: AnswerInit,
  ) {
    super(body, sendableInit(init));
    this.headers.set("content-length", String(length));
    this.ownBytes = ownBytes;
  }
}

function largeAnswer(
  pieces: readonly Piece[],
  ownBytes: number,
  init?: AnswerInit,
): LargeAnswer {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  return new LargeAnswer(largeBody(pieces), { length, ownBytes }, init);
}

/** An answer that begins as others do, and only ends in a text of its own. */
export function respondShared(
  begin: SharedText,
  end: string,
  init?: AnswerInit,
): Response {
  if (begin.text.length + end.length < LARGE_FROM) {
    return new Response(begin.text + end, sendableInit(init));
  }
  const own = new TextEncoder().encode(end);
  const pieces = end === "" ? begin.pieces : [...begin.pieces, own];
  return largeAnswer(pieces, own.length, init);
}

/** An answer with bytes that many answers share. */
export function respondPieces(
  pieces: readonly Piece[],
  init?: AnswerInit,
): Response {
  const [first, ...others] = pieces;
  return first !== undefined && others.length === 0
    ? new Response(first, sendableInit(init))
    : largeAnswer(pieces, 0, init);
}

/**
 * Headers that are given with a body make Deno keep a copy of both for its server,
 * which it throws away once somebody looks at the headers. Somebody always does.
 */
function smallAnswer(
  body: string | Piece,
  { status = 200, headers }: AnswerInit = {},
): Response {
  const answered = status === 200
    ? new Response(body)
    : new Response(body, { status });
  // Deno's own would be sent with capitals, however it is set.
  if (headers?.["content-type"]) answered.headers.delete("content-type");
  return headers === undefined ? answered : withHeaders(answered, headers);
}

function sendableInit(init: AnswerInit = {}): ResponseInit {
  if (init.headers !== undefined) allSendable(init.headers);
  return init;
}

/** An answer without a body. */
export function respondEmpty(
  status: number,
  headers: Readonly<Record<string, string>>,
): Response {
  return new Response(null, { status, headers: allSendable(headers) });
}

/** An answer whose body is made while it is sent, and counted by nobody. */
export function respondStream(
  body: ReadableStream<Uint8Array>,
  headers: Readonly<Record<string, string>>,
): Response {
  return new Response(body, { headers: allSendable(headers) });
}

/** An answer with further headers, which it is given itself. */
export function withHeaders(
  answer: Response,
  headers: Readonly<Record<string, string>>,
): Response {
  for (const name in headers) {
    answer.headers.set(name, sendable(name, headers[name] ?? ""));
  }
  return answer;
}

/** An answer that also sets cookies, as `Set-Cookie` has each. */
export function withCookies(
  answer: Response,
  cookies: readonly string[],
): Response {
  for (const cookie of cookies) {
    answer.headers.append("set-cookie", sendable("set-cookie", cookie));
  }
  return answer;
}

/** An answer with this body. */
export function respond(
  body: string | Piece | SharedText | SharedFile,
  init?: AnswerInit,
): Response {
  if (body instanceof SharedFile) return largeAnswer(body.pieces, 0, init);
  if (body instanceof SharedText) return respondShared(body, "", init);
  if (body.length < LARGE_FROM) return smallAnswer(body, init);
  const { pieces, ownBytes } = typeof body === "string"
    ? sharedPieces(body)
    : { pieces: piecesOf(body), ownBytes: body.length };
  return largeAnswer(pieces, ownBytes, init);
}

/** The same with JSON, which is its media type unless another is named. */
export function respondJson(
  value: unknown,
  { status = 200, headers }: AnswerInit = {},
): Response {
  return respond(JSON.stringify(value), {
    status,
    headers: { "content-type": "application/json", ...headers },
  });
}
