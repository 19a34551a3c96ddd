/**
 * The one way in which answers with a body are made, so that each that is large
 * is sent in pieces, and is counted until its client has taken it.
 *
 * @module
 */
import { strongEtag } from "../../domain/spotlights/public_record.ts";
import { largeBody } from "./large_body.ts";

/** Texts of so many characters, and files of so many bytes, are large. */
export const LARGE_FROM = 16_384;

/** A text that many answers share, and so the bytes of it. */
export class SharedText {
  readonly text: string;
  readonly etag: string;
  #bytes: Uint8Array<ArrayBuffer> | null = null;

  constructor(text: string) {
    this.text = text;
    this.etag = strongEtag(text);
  }

  /** Its bytes, made once. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes ??= new TextEncoder().encode(this.text);
  }
}

/** An answer that the route table counts until its client has taken it. */
export class LargeAnswer extends Response {
  /** Bytes that no other answer has: none of a text that is shared. */
  readonly ownBytes: number;

  constructor(
    bytes: Uint8Array<ArrayBuffer>,
    ownBytes: number,
    init?: ResponseInit,
  ) {
    super(largeBody(bytes), init);
    this.headers.set("content-length", String(bytes.length));
    this.ownBytes = ownBytes;
  }
}

/** An answer with this body. */
export function respond(
  body: string | Uint8Array<ArrayBuffer> | SharedText,
  init?: ResponseInit,
): Response {
  if (body instanceof SharedText) {
    return body.text.length < LARGE_FROM
      ? new Response(body.text, init)
      : new LargeAnswer(body.bytes, 0, init);
  }
  if (body.length < LARGE_FROM) return new Response(body, init);
  const bytes = typeof body === "string"
    ? new TextEncoder().encode(body)
    : body;
  return new LargeAnswer(bytes, bytes.length, init);
}

/** The same with JSON, which is its media type unless another is named. */
export function respondJson(value: unknown, init: ResponseInit = {}): Response {
  const headers = new Headers(init.headers);
  if (!headers.has("content-type")) {
    headers.set("content-type", "application/json");
  }
  return respond(JSON.stringify(value), { ...init, headers });
}
