import { createServer, type IncomingMessage, type Server } from "node:http";
import { z } from "zod";

/** A running simulator. */
export interface ViesSimulator {
  /** Where its API is, as `viesRegistry()` takes it. */
  address: string;
  close(): Promise<void>;
}

/**
 * What numbers that end in these digits are answered, after the registry's own
 * test service; every other number is valid.
 */
const ERRORS: Readonly<Record<string, string>> = {
  "201": "INVALID_INPUT",
  "202": "INVALID_REQUESTER_INFO",
  "300": "SERVICE_UNAVAILABLE",
  "301": "MS_UNAVAILABLE",
  "302": "TIMEOUT",
  "400": "VAT_BLOCKED",
  "401": "IP_BLOCKED",
  "500": "GLOBAL_MAX_CONCURRENT_REQ",
  "501": "GLOBAL_MAX_CONCURRENT_REQ_TIME",
  "600": "MS_MAX_CONCURRENT_REQ",
  "601": "MS_MAX_CONCURRENT_REQ_TIME",
};

/** The ending of a number that is not registered. */
const INVALID = "200";

/** What the companies of some endings are called; of others it does not say. */
const NAMES: Readonly<Record<string, string>> = {
  "111": "MUSTERFIRMA GMBH",
  "112": "EXAMPLE TRADING SIA",
};
/** What it says instead of a name, as some member states do. */
const NO_NAME = "---";

const API = "/taxation_customs/vies/rest-api";
const BODY_MAX_BYTES = 4_096;

const bodySchema = z.object({
  countryCode: z.string().regex(/^[A-Z]{2}$/),
  vatNumber: z.string().regex(/^[A-Z0-9+*]{2,13}$/),
  requesterMemberStateCode: z.string().optional(),
  requesterNumber: z.string().optional(),
});

/**
 * A registry of VAT ids of our own, for development and tests: real HTTP on a
 * free port of this machine. What a number is answered depends on its last
 * three digits alone.
 */
export async function startViesSimulator(): Promise<ViesSimulator> {
  let answered = 0;
  const server = createServer(async (request, response) => {
    const { status, body } = await answerOf(request, () => ++answered);
    response.writeHead(status, {
      "content-type": "application/json",
      "connection": "close",
    });
    response.end(JSON.stringify(body));
  });
  const port = await listen(server);
  return {
    address: `http://127.0.0.1:${port}${API}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
      }),
  };
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" && address ? address.port : 0);
    });
  });
}

interface Answer {
  status: number;
  body: unknown;
}

async function answerOf(
  request: IncomingMessage,
  count: () => number,
): Promise<Answer> {
  const known = request.method === "POST" &&
    request.url === `${API}/check-vat-number`;
  if (!known) return { status: 404, body: failure("NOT_FOUND") };
  const parsed = bodySchema.safeParse(await readJson(request));
  if (!parsed.success) return { status: 400, body: failure("INVALID_INPUT") };
  const { countryCode, vatNumber, requesterNumber } = parsed.data;
  const ending = vatNumber.replace(/\D/g, "").slice(-3);
  const error = ERRORS[ending];
  if (error !== undefined) return { status: 500, body: failure(error) };
  return {
    status: 200,
    body: {
      countryCode,
      vatNumber,
      requestDate: new Date().toISOString(),
      valid: ending !== INVALID,
      requestIdentifier: requesterNumber
        ? `WAPIAAAA${String(count()).padStart(8, "0")}`
        : "",
      name: NAMES[ending] ?? NO_NAME,
      address: NO_NAME,
    },
  };
}

function failure(error: string): unknown {
  return { actionSucceed: false, errorWrappers: [{ error }] };
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  let text = "";
  for await (const part of request) {
    text += part;
    if (text.length > BODY_MAX_BYTES) return null;
  }
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
