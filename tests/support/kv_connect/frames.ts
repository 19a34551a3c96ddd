/** A frame of a type that nobody knows, which HTTP/2 has everybody ignore. */
export const EMPTY_FRAME: Uint8Array = Uint8Array.of(
  ...[0, 0, 0, 0xfa, 0, 0, 0, 0, 0],
);

const HEAD_BYTES = 9;

/** Follows the frames of HTTP/2 that a server sends. */
export class Frames {
  #head: number[] = [];
  #left = 0;
  #began = false;

  /** Whether a frame of ours may be put in here. */
  get areWhole(): boolean {
    return this.#began && this.#left === 0 && this.#head.length === 0;
  }

  /** Takes what goes by. */
  pass(bytes: Uint8Array): void {
    this.#began = true;
    for (let at = 0; at < bytes.length;) {
      if (this.#left > 0) {
        const step = Math.min(this.#left, bytes.length - at);
        this.#left -= step;
        at += step;
      } else {
        this.#addToHead(bytes[at++] ?? 0);
      }
    }
  }

  /** The first three bytes of a head say how long the rest of the frame is. */
  #addToHead(byte: number): void {
    this.#head.push(byte);
    if (this.#head.length < HEAD_BYTES) return;
    const [high = 0, middle = 0, low = 0] = this.#head;
    this.#left = high << 16 | middle << 8 | low;
    this.#head = [];
  }
}
