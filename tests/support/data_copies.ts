/** Copies of an account's data, read whole. */
import { assert } from "@std/assert";
import {
  type DataExport,
  dataRequestsOf,
} from "../../domain/privacy/data_requests.ts";
import { writeDocument } from "../../domain/privacy/export_document.ts";
import type {
  Exported,
  ExportServices,
} from "../../domain/privacy/exported.ts";
import {
  readPart,
  type WrittenCopy,
} from "../../domain/privacy/export_parts.ts";
import type { Services } from "../../domain/ports.ts";

/** The bytes of a copy; null where a part of it is gone. */
export async function readCopy(
  services: Pick<Services, "store">,
  copy: Pick<DataExport, "id" | "bytes" | "parts">,
): Promise<Uint8Array | null> {
  const all: number[] = [];
  for (let index = 0; index < copy.parts; index++) {
    const part = await readPart(services, copy, index);
    if (part === null) return null;
    for (const byte of part) all.push(byte);
  }
  assert(all.length === copy.bytes, "a copy says how large it is");
  return new Uint8Array(all);
}

/** Takes the lease on an account's requests by hand, to write a copy under it. */
export async function takeLease(
  { store }: Pick<Services, "store">,
  accountId: string,
): Promise<WrittenCopy["lease"]> {
  const lease = { accountId, leaseOwner: "by hand" };
  await store.transact(async (tx) => {
    const requests = await dataRequestsOf(tx, accountId);
    tx.dataRequests.save({ ...requests, ...lease });
  });
  return lease;
}

/** The document of an account, as one value. */
export async function exportDocument(
  services: ExportServices,
  exported: Exported,
  // deno-lint-ignore no-explicit-any -- tests compare what they expect of it
): Promise<any> {
  let text = "";
  await writeDocument(services, exported, {
    part: 0,
    add(more) {
      text += more;
      return Promise.resolve();
    },
  });
  return JSON.parse(text);
}
