import { z } from "zod";
import type {
  VatAnswer,
  VatSource,
} from "../../domain/accounts/vat_registry.ts";
import {
  FetchBusy,
  type Fetched,
  type Fetcher,
  FetchRefused,
} from "../../domain/fetching/fetcher.ts";
import type { Log } from "../../domain/ports.ts";
import { parseJson } from "../../domain/text/parse_json.ts";
import { readVatId } from "./read_vat_id.ts";

/** The European Commission's registry. */
export const VIES_ADDRESS =
  "https://ec.europa.eu/taxation_customs/vies/rest-api";

/** How long the registry may take, ms; the longest answer, bytes. */
const POLICY = {
  timeoutMs: 10_000,
  maxBytes: 16_384,
  accept: "application/json",
};

/** What the adapter is made with. */
export interface ViesOptions {
  fetcher: Pick<Fetcher, "postJson">;
  log: Log;
  /** Without a trailing slash. */
  address: string;
  /** Our own VAT id: only who names itself is given a consultation number. */
  requesterVatId: string;
}

const answerSchema = z.object({
  countryCode: z.string(),
  vatNumber: z.string(),
  valid: z.boolean(),
  requestIdentifier: z.string().nullish(),
  name: z.string().nullish(),
});

const errorSchema = z.object({
  errorWrappers: z.array(z.object({ error: z.string() })).min(1),
});

const UNKNOWN: VatAnswer = {
  outcome: "unknown",
  consultation: null,
  name: null,
};

/** Longest name that is kept of an answer, in UTF-16 units. */
const NAME_MAX = 300;

/**
 * The registry of VAT ids over its REST API. Only a complete answer about the
 * very id that was asked for is a yes or a no; everything else, its many ways
 * to be busy included, is unknown.
 */
export function viesRegistry(options: ViesOptions): VatSource {
  const { fetcher, log, address, requesterVatId } = options;
  return {
    read: readVatId,
    async check(vatId) {
      const asked = partsOf(vatId);
      const requester = partsOf(requesterVatId);
      const body = {
        ...asked,
        requesterMemberStateCode: requester.countryCode,
        requesterNumber: requester.vatNumber,
      };
      try {
        const url = `${address}/check-vat-number`;
        return readAnswer(
          await fetcher.postJson(url, body, POLICY),
          asked,
          log,
        );
      } catch (error) {
        if (error instanceof FetchBusy) {
          log.info("vies.failed", { why: "busy" });
          // It was not asked, so the account's next try is not put off further.
          return { ...UNKNOWN, retryAfterMs: error.retryAfterS * 1_000 };
        }
        if (!(error instanceof FetchRefused)) throw error;
        log.info("vies.failed", { why: "unreachable" });
        return UNKNOWN;
      }
    },
  };
}

/** A VAT id as the registry takes it: country and number apart. */
interface Asked {
  countryCode: string;
  vatNumber: string;
}

function partsOf(vatId: string): Asked {
  return { countryCode: vatId.slice(0, 2), vatNumber: vatId.slice(2) };
}

function readAnswer(
  { status, body }: Fetched,
  asked: Asked,
  log: Log,
): VatAnswer {
  const read = parseJson(body);
  const value = read.ok ? read.value : null;
  const answer = answerSchema.safeParse(value);
  const isAbout = answer.success &&
    answer.data.countryCode === asked.countryCode &&
    answer.data.vatNumber === asked.vatNumber;
  if (status === 200 && isAbout) {
    return {
      outcome: answer.data.valid ? "valid" : "invalid",
      consultation: answer.data.requestIdentifier || null,
      name: nameOf(answer.data.name ?? ""),
    };
  }
  const why = errorOf(value);
  // Our own id is wrong, for which a person is needed; the rest is asked again.
  const level = why === "INVALID_REQUESTER_INFO" ? "error" : "info";
  log[level]("vies.failed", { why, status });
  return UNKNOWN;
}

/** Several member states give no name: nothing, or a row of hyphens. */
function nameOf(text: string): string | null {
  const name = text.slice(0, NAME_MAX).trim();
  return /[\p{L}\p{N}]/u.test(name) ? name : null;
}

/** The registry's own word for what went wrong, such as MS_UNAVAILABLE. */
function errorOf(value: unknown): string {
  const error = errorSchema.safeParse(value).data?.errorWrappers[0]?.error;
  return error !== undefined && /^[A-Z_]{1,40}$/.test(error)
    ? error
    : "unreadable";
}
