/**
 * The way out of a store on hold: the ports to the outside as the verbs are
 * given them. What acts there is refused before it is asked for, so that no
 * verb, job or route, written now or later, can forget the hold.
 * Decision 0205 says why.
 *
 * @module
 */
import { StoreOnHold } from "../failure.ts";
import type { Mailer } from "../mail/mailer.ts";
import type { Processor } from "../payments/processor.ts";
import type { Services, Store } from "../ports.ts";

/**
 * `reads`: leaves everything as it is. `acts`: moves money, changes or makes
 * something, opens a page on which people do, or fetches for the archive.
 */
const PROCESSOR_CALLS: Readonly<Record<keyof Processor, "reads" | "acts">> = {
  addInvoiceLine: "acts",
  attachCard: "acts",
  cancelPayment: "acts",
  chargeSharedToken: "acts",
  createBillingPortal: "acts",
  createCardSetup: "acts",
  createCreditNote: "acts",
  createCustomer: "acts",
  createIdentitySession: "acts",
  createInvoice: "acts",
  deleteDraftInvoice: "acts",
  detachCard: "acts",
  downloadCreditNotePdf: "acts",
  downloadInvoicePdf: "acts",
  finalizeInvoice: "acts",
  findInvoiceOfPayment: "reads",
  findPayment: "reads",
  listBalanceTransactions: "reads",
  listCards: "reads",
  listCreditNotes: "reads",
  listDisputes: "reads",
  listInvoices: "reads",
  listRefunds: "reads",
  payInvoice: "acts",
  refundPayment: "acts",
  retrieveCardSetup: "reads",
  retrieveDispute: "reads",
  retrieveIdentitySession: "reads",
  retrieveInvoice: "reads",
  retrievePayment: "reads",
  retrieveSetupIntent: "reads",
  updateCustomer: "acts",
  voidInvoice: "acts",
};

/** The ports that a hold closes. */
export type GatedPorts = Pick<Services, "processor" | "mailer" | "fetcher">;

/** The same ports; while the store is on hold they act on nothing. */
export function gatedPorts(
  store: Pick<Store, "currentHold">,
  { processor, mailer, fetcher }: GatedPorts,
): GatedPorts {
  const pass = () => refuseWhileOnHold({ store });
  return {
    processor: gatedProcessor(processor, pass),
    mailer: gatedMailer(mailer, pass),
    fetcher: {
      getJson: (...input) => fetcher.getJson(...input),
      async postJson(...input) {
        await pass();
        return await fetcher.postJson(...input);
      },
    },
  };
}

function gatedProcessor(
  processor: Processor,
  pass: () => Promise<void>,
): Processor {
  const gated: Record<string, unknown> = {};
  for (const name of Object.keys(PROCESSOR_CALLS) as (keyof Processor)[]) {
    const call = processor[name] as (...input: unknown[]) => Promise<unknown>;
    gated[name] = PROCESSOR_CALLS[name] === "reads"
      ? call
      : async (...input: unknown[]) => {
        await pass();
        return await call(...input);
      };
  }
  return gated as unknown as Processor;
}

/** Codes are sent all the same: an operator has to sign in to end the hold. */
function gatedMailer(mailer: Mailer, pass: () => Promise<void>): Mailer {
  return {
    keepsText: mailer.keepsText,
    async send(mail) {
      if (mail.kind !== "sign_in") await pass();
      await mailer.send(mail);
    },
  };
}

/** @throws {StoreOnHold} while the store is on hold */
export async function refuseWhileOnHold(
  { store }: { store: Pick<Store, "currentHold"> },
): Promise<void> {
  if (await store.currentHold() !== null) throw new StoreOnHold();
}
