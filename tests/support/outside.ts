import { FetchRefused } from "../../domain/fetching/fetcher.ts";
import type { Services } from "../../domain/ports.ts";

/** The parts of the services that reach out of the process. */
export type Outside = Pick<Services, "mailer" | "fetcher" | "vatRegistry">;

/**
 * An outside world that is down: mail is taken and kept, nothing is fetched
 * and no VAT id is known. Tests replace what they are about.
 */
export const OUTSIDE: Outside = {
  mailer: { keepsText: true, send: () => Promise.resolve() },
  fetcher: {
    getJson: () => Promise.reject(new FetchRefused()),
    postJson: () => Promise.reject(new FetchRefused()),
  },
  vatRegistry: {
    read: () => null,
    check: () => Promise.resolve({ outcome: "unknown", consultation: null }),
  },
};
