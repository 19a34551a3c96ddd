import type { Room, Rooms } from "./body_rooms.ts";

/** What has come of a body, in memory that is counted. */
export class KeptBytes {
  readonly #rooms: () => Rooms;
  readonly #onNoRoom: () => void;
  #room: Room | null = null;
  #roomAhead: Room | null = null;
  #bytes = new Uint8Array(0);
  #length = 0;
  #ahead = 0;
  #isDropped = false;

  /**
   * @param rooms who counts the memory, asked once some is needed
   * @param onNoRoom told when there is none for it, or others need it
   */
  constructor(rooms: () => Rooms, onNoRoom: () => void) {
    this.#rooms = rooms;
    this.#onNoRoom = onNoRoom;
  }

  /** Bytes that have come. */
  get length(): number {
    return this.#length;
  }

  /** Adds a piece; false when there is no room for it, or it was dropped. */
  add(piece: Uint8Array): boolean {
    if (this.#isDropped || !this.#makeRoom(piece.byteLength)) return false;
    this.#bytes.set(piece, this.#length);
    this.#length += piece.byteLength;
    return true;
  }

  /** Whether so many bytes in all may be kept of it by the server itself. */
  mayBeAhead(bytes: number): boolean {
    if (this.#isDropped) return false;
    const more = bytes - this.#ahead;
    if (more <= 0) return true;
    this.#roomAhead ??= this.#rooms().ahead();
    if (this.#roomAhead.grow(more)) {
      this.#ahead = bytes;
      return true;
    }
    this.#giveWay();
    return false;
  }

  /** The whole body. */
  whole(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Keeps nothing of it any more. What the server keeps is counted still. */
  drop(): void {
    this.#isDropped = true;
    this.#bytes = new Uint8Array(0);
    this.#room?.end();
  }

  /** The same once the server keeps nothing either. */
  end(): void {
    this.drop();
    this.#roomAhead?.end();
  }

  /** Twice as large when it is full, so that all copies together are linear. */
  #makeRoom(bytes: number): boolean {
    const { byteLength } = this.#bytes;
    const wanted = this.#length + bytes;
    if (wanted <= byteLength) return true;
    const size = Math.max(wanted, 2 * byteLength);
    this.#room ??= this.#rooms().kept(() => this.#giveWay());
    if (!this.#room.grow(size - byteLength)) return false;
    const larger = new Uint8Array(size);
    larger.set(this.#bytes);
    this.#bytes = larger;
    return true;
  }

  #giveWay(): void {
    this.drop();
    this.#onNoRoom();
  }
}
