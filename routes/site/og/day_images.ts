import { monotonicMs, sleep } from "../../../adapters/time/system_time.ts";
import { TemporaryFailure } from "../../../domain/failure.ts";
import type { DrawPng } from "../../../domain/ports.ts";
import type { PublicRecord } from "../../../domain/spotlights/public_record.ts";
import { SharedFile } from "../../http/respond.ts";
import { ogSvg } from "./og_svg.ts";

/** Pictures that are kept, of some 50 KB each. */
export const IMAGES_MAX = 48;

/** Pictures that are drawn or wait for that: each takes the process 26 ms. */
export const DRAWN_OR_WAITING = 4;

/**
 * Between two of them, ms: three times what one takes. However many networks ask
 * for days that are not kept, three quarters of the time are everybody else's.
 */
export const PAUSE_MS = 78;

/** What the pauses are measured by. */
export interface DrawingTime {
  /** A clock that only goes forward, ms. */
  nowMs(): number;
  sleep(ms: number): Promise<void>;
}

/** Many days are asked for that nobody has asked for before. */
export class TooManyImages extends TemporaryFailure {
  override readonly name = "TooManyImages";
  override readonly isOrdinary = true;
}

/** The pictures of days, drawn when first asked for. */
export class DayImages {
  readonly #draw: DrawPng;
  readonly #time: DrawingTime;
  /** When the last one was drawn. */
  #drawnAtMs = -Infinity;
  /** Settles once the last one that was asked for is drawn. */
  #line: Promise<unknown> = Promise.resolve();
  #inLine = 0;
  /** The one used longest ago first. */
  readonly #kept = new Map<PublicRecord, Promise<SharedFile>>();

  constructor(
    draw: DrawPng,
    time: DrawingTime = { nowMs: monotonicMs, sleep },
  ) {
    this.#draw = draw;
    this.#time = time;
  }

  /** Whether it has been drawn, or is being. */
  has(record: PublicRecord): boolean {
    return this.#kept.has(record);
  }

  /**
   * The picture of a day; once for all who ask while it is drawn. One is drawn
   * after another, with turns for other requests between.
   *
   * @throws {TooManyImages} when too many wait to be drawn
   */
  of(record: PublicRecord): Promise<SharedFile> {
    const image = this.#kept.get(record) ?? this.#begin(record);
    this.#kept.delete(record);
    this.#kept.set(record, image);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > IMAGES_MAX && oldest !== undefined) {
      this.#kept.delete(oldest);
    }
    return image;
  }

  #begin(record: PublicRecord): Promise<SharedFile> {
    if (this.#inLine >= DRAWN_OR_WAITING) {
      throw new TooManyImages("Too many pictures are being drawn");
    }
    this.#inLine++;
    const image = this.#line.then(() => this.#drawRested(ogSvg(record)))
      .then((png) => new SharedFile(png))
      .finally(() => this.#inLine--);
    this.#line = image.catch(() => this.#kept.delete(record));
    return image;
  }

  async #drawRested(svg: string): ReturnType<DrawPng> {
    const { nowMs, sleep } = this.#time;
    const leftMs = this.#drawnAtMs + PAUSE_MS - nowMs();
    if (leftMs > 0) await sleep(leftMs);
    try {
      return await this.#draw(svg);
    } finally {
      this.#drawnAtMs = nowMs();
    }
  }
}
