import { startTimer } from "../../adapters/time/system_time.ts";
import type { DataExport } from "../../domain/privacy/data_requests.ts";
import { PART_BYTES, readPart } from "../../domain/privacy/export_parts.ts";
import type { Services, StartTimer } from "../../domain/ports.ts";
import { joinedBytes } from "../../domain/joined_bytes.ts";
import { refuse } from "../../domain/refusal.ts";
import { type Piece, STALLED_MS } from "./large_body.ts";
import { LargeAnswer } from "./respond.ts";
import { savedAs } from "./saved_file.ts";

/** How long a whole copy may take to be sent, ms. */
const COPY_SENT_MS = 10 * 60_000;

/**
 * The document of a copy, to be saved by who asked for it and by nobody on the
 * way: its parts are sent as they are stored, each read once the one before it
 * was taken.
 *
 * @throws {Refused} `not_found` while it is prepared, and once it is gone
 */
export async function exportAnswer(
  services: Pick<Services, "store">,
  found: DataExport,
  { headers = {}, read }: {
    headers?: Readonly<Record<string, string>>;
    /** Told once nothing more of it is read. */
    read: (() => void) | undefined;
  },
): Promise<Response> {
  const first = await partOf(services, found, 0);
  const body = copyBody(services, found, { first, read });
  return new LargeAnswer(body, { length: found.bytes, ownBytes: PART_BYTES }, {
    headers: {
      ...headers,
      "cache-control": "no-store",
      ...savedAs(`spotlight-data-${found.id}.json`, "application/json"),
    },
  });
}

/**
 * A part of the document, by itself.
 *
 * @throws {Refused} as {@linkcode exportAnswer}, and where there is no such part
 */
export async function partOf(
  services: Pick<Services, "store">,
  found: DataExport,
  index: number,
): Promise<Piece> {
  const part = found.readyAtMs === null || !(index < found.parts)
    ? null
    : await readPart(services, found, index);
  return part ?? refuse({
    code: "not_found",
    message: `Cannot read the document of export "${found.id}": it is not ` +
      "ready, or gone",
  });
}

/**
 * The document in one piece, for who can't be sent parts.
 *
 * @param max of a longer one no more is read than shows that it is longer, bytes
 * @throws {Refused} as {@linkcode exportAnswer}
 */
export async function copyBytes(
  services: Pick<Services, "store">,
  found: DataExport,
  max: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Piece[] = [await partOf(services, found, 0)];
  const most = Math.min(found.parts, Math.floor(max / PART_BYTES) + 2);
  while (parts.length < most) {
    parts.push(await partOf(services, found, parts.length));
  }
  return joinedBytes(parts);
}

/** Who takes no part in time, or a part that is gone, ends it. */
export function copyBody(
  services: Pick<Services, "store">,
  found: Pick<DataExport, "id" | "parts">,
  { first, read = () => {} }: { first: Piece; read?: (() => void) | undefined },
  timer: StartTimer = startTimer,
): ReadableStream<Piece> {
  let next = 0;
  let callOff = () => {};
  let callOffAll = () => {};
  const end = () => {
    callOff();
    callOffAll();
    read();
  };
  return new ReadableStream({
    start(controller) {
      const late = new Error("The copy is not taken in time");
      const fail = () => {
        end();
        controller.error(late);
      };
      callOffAll = timer(fail, COPY_SENT_MS);
    },
    async pull(controller) {
      callOff();
      const part = next === 0 ? first : await readPart(services, found, next);
      if (part === null) {
        end();
        return controller.error(new Error("A part of the copy is gone"));
      }
      controller.enqueue(part);
      next += 1;
      if (next >= found.parts) {
        end();
        return controller.close();
      }
      const stalled = new Error("The copy is not taken");
      callOff = timer(() => {
        end();
        controller.error(stalled);
      }, STALLED_MS);
    },
    cancel: end,
  }, { highWaterMark: 0 });
}
