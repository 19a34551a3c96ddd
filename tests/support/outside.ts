import type { Processor } from "../../domain/payments/processor.ts";
import { StoreUnavailable } from "../../domain/failure.ts";
import { FetchRefused } from "../../domain/fetching/fetcher.ts";
import type { Services } from "../../domain/ports.ts";
import { createStripeClient } from "../../adapters/stripe/stripe_client.ts";
import { createStripeProcessor } from "../../adapters/stripe/stripe_processor.ts";

/** The parts of the services that reach out of the process. */
export type Outside = Pick<
  Services,
  "archive" | "mailer" | "fetcher" | "vatRegistry" | "eventWaits"
>;

/**
 * An outside world that is down: mail is taken and kept, nothing is fetched,
 * no VAT id is known, nothing can be archived and nobody waits for events. Tests replace what they are about.
 */
export const OUTSIDE: Outside = {
  archive: emptyArchive(),
  mailer: { keepsText: true, send: () => Promise.resolve() },
  fetcher: {
    getJson: () => Promise.reject(new FetchRefused()),
    postJson: () => Promise.reject(new FetchRefused()),
    notify: () => Promise.reject(new FetchRefused()),
  },
  vatRegistry: {
    read: () => null,
    check: () =>
      Promise.resolve({ outcome: "unknown", consultation: null, name: null }),
  },
  eventWaits: {
    begin: () => ({ isOver: true, next: () => Promise.resolve(), end() {} }),
    wake() {},
  },
};

function emptyArchive(): Services["archive"] {
  const nothing = () => Promise.resolve(null);
  return {
    maxBytes: 0,
    describe: nothing,
    store: () => Promise.reject(new StoreUnavailable()),
    read: nothing,
    purge: () => Promise.resolve(0),
  };
}

/** A processor that nobody answers for: every call is uncertain. */
export const NO_PROCESSOR: Processor = createStripeProcessor(
  createStripeClient({
    secretKey: "sk_test_nobody",
    apiBase: "http://127.0.0.1:9",
  }),
);
