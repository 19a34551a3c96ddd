import { listLiveBids } from "../../../domain/bids/list_live_bids.ts";
import { PAGES } from "../../../domain/pages.ts";
import {
  ERASURES_A_DAY,
  EXPORTS_A_DAY,
  preparedNow,
} from "../../../domain/privacy/data_requests.ts";
import {
  keepAccount,
  readErasure,
  requestErasure,
} from "../../../domain/privacy/request_erasure.ts";
import {
  findOwnExport,
  listExports,
  requestExport,
} from "../../../domain/privacy/request_export.ts";
import { exportAnswer, partOf } from "../../http/export_answer.ts";
import { beginCopy } from "../../middleware/copies.ts";
import {
  limitChanges,
  limitNewcomers,
} from "../../middleware/person_limits.ts";
import type { Surface } from "../../route_table.ts";
import type { AdvertiserParts } from "../advertiser_parts.ts";
import { advertiserPage, type PageRequest } from "../pages/advertiser_page.ts";
import { doneNote, sayDone } from "../pages/done_note.ts";
import { refusalOf } from "../pages/refusal_of.ts";
import { AskErasurePage } from "./erasure_pages.tsx";
import { ExportPage } from "./export_page.tsx";
import { PrivacyPage } from "./privacy_page.tsx";
import { ERASURE_PATH, EXPORTS_PATH, KEEP_PATH } from "./privacy_paths.ts";

const PATH = PAGES.privacy;

/** What was done, by the name that the answer leads here with. */
const DONE = {
  export: "Your copy is being prepared. We mail you when it is ready, mostly " +
    "within a minute.",
  erasure: "We mailed you a link that confirms the erasure. Nothing happens " +
    "before you follow it.",
  kept: "Your account stays. Nothing was erased.",
  late: "The erasure has begun and can’t be called off any more.",
};

/** A copy of one's data, and its erasure: `/settings/privacy`. */
export function privacySurface(parts: AdvertiserParts): Surface {
  return advertiserPage(parts, {
    path: PATH,
    proceed: [limitChanges(parts), limitNewcomers(parts)],
    get: {
      [PATH]: (request) =>
        showPrivacy(request, { done: doneNote(request, DONE) }),
      [ERASURE_PATH]: askWhether,
      [`${EXPORTS_PATH}/:id`]: showExport,
      [`${EXPORTS_PATH}/:id/document`]: sendExport,
    },
    post: {
      [EXPORTS_PATH]: askForExport,
      [ERASURE_PATH]: askForErasure,
      [KEEP_PATH]: keep,
    },
    freshChanges: { fields: [], nothingDone: "Nothing was asked for." },
  });
}

async function askForExport(request: PageRequest): Promise<Response> {
  const { services, accountId, signedIn: by } = request;
  try {
    const asked = { accountId, grantId: null, by, binding: null };
    await requestExport(services, asked);
  } catch (thrown) {
    return await tooMany(
      request,
      thrown,
      `You have asked for ${EXPORTS_A_DAY} copies within a day.`,
    );
  }
  return sayDone(request, { path: PATH, done: "export" });
}

/** Says what an erasure ends, before it is asked for. */
async function askWhether(
  { services, accountId, account, show }: PageRequest,
): Promise<Response> {
  const page = (
    <AskErasurePage
      liveBids={await listLiveBids(services, { accountId })}
      hours={services.settings.auctionHours}
      email={account.email}
    />
  );
  return show(page);
}

async function askForErasure(request: PageRequest): Promise<Response> {
  const { services, accountId, signedIn: by } = request;
  const asked = { accountId, grantId: null, by, binding: null };
  try {
    await requestErasure(services, asked);
  } catch (thrown) {
    return await tooMany(
      request,
      thrown,
      `You have asked for an erasure ${ERASURES_A_DAY} times within a day.`,
    );
  }
  return sayDone(request, { path: PATH, done: "erasure" });
}

/** Shows when it may be asked for again. */
function tooMany(
  request: PageRequest,
  thrown: unknown,
  what: string,
): Promise<Response> {
  const { retryAfterS } = refusalOf(thrown, "rate_limited");
  const hours = Math.ceil(retryAfterS / 3_600);
  return showPrivacy(request, {
    error: `${what} Ask again in ${hours} ${hours === 1 ? "hour" : "hours"}.`,
    status: 429,
    headers: { "retry-after": String(retryAfterS) },
  });
}

async function keep(request: PageRequest): Promise<Response> {
  const { services, accountId, signedIn: by } = request;
  const about = { accountId, erasureId: null, by };
  const isKept = await keepAccount(services, about);
  return sayDone(request, { path: PATH, done: isKept ? "kept" : "late" });
}

async function showExport(request: PageRequest): Promise<Response> {
  const { services, show, query } = request;
  const found = await ownExport(request);
  const index = Number(query("part") ?? "1") - 1;
  const bytes = await partOf(services, found, index);
  request.context.get("copyRead")?.();
  const part = { index, text: new TextDecoder().decode(bytes) };
  return show(<ExportPage copy={found} part={part} />);
}

async function sendExport(request: PageRequest): Promise<Response> {
  const found = await ownExport(request);
  const read = request.context.get("copyRead");
  return await exportAnswer(request.services, found, { read });
}

/** What it costs comes before anything is read of the copy. */
async function ownExport(request: PageRequest) {
  const { services, accountId, param } = request;
  await beginCopy(request.context, request, accountId);
  const own = { accountId, grantId: null, id: param("id") };
  return await findOwnExport(services, own);
}

async function showPrivacy(
  { services, accountId, show }: PageRequest,
  { done = null, error = null, status = 200, headers }: {
    done?: string | null;
    error?: string | null;
    status?: number;
    headers?: Readonly<Record<string, string>>;
  },
): Promise<Response> {
  const exports = await listExports(services, accountId);
  // A page that is loaded again says nothing that is over.
  const isOver = done === DONE.export && preparedNow({ exports }) === undefined;
  const page = (
    <PrivacyPage
      exports={exports}
      erasure={await readErasure(services, accountId)}
      done={isOver ? null : done}
      error={error}
    />
  );
  return show(page, { status, ...headers && { headers } });
}
