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
import { hasCode } from "./has_code.ts";

/**
 * The calls of the processor that leave everything as it is. Any other moves
 * money, changes or makes something, opens a page on which people do, or fetches
 * for the archive: it is refused, also one that is added later.
 */
const READS: readonly string[] = [
  "findInvoiceOfPayment",
  "findPayment",
  "findTransfer",
  "listBalanceTransactions",
  "listCards",
  "listCreditNotes",
  "listCustomers",
  "listDisputes",
  "listDisputesOf",
  "listIdentitySessions",
  "listInvoices",
  "listPartnerAccounts",
  "listRefunds",
  "listTransfers",
  "retrieveClock",
  "retrieveCardSetup",
  "retrieveDispute",
  "retrieveIdentitySession",
  "retrieveInvoice",
  "retrievePartnerAccount",
  "retrievePayment",
  "retrieveRefund",
  "retrieveSetupIntent",
  "retrieveTransfer",
] satisfies (keyof Processor)[];

type Call = (...input: unknown[]) => Promise<unknown>;

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
      async notify(...input) {
        await pass();
        return await fetcher.notify(...input);
      },
    },
  };
}

function gatedProcessor(
  processor: Processor,
  pass: () => Promise<void>,
): Processor {
  const calls = Object.entries(processor) as [string, Call][];
  const gated = calls.map(([name, call]): [string, Call] => {
    if (READS.includes(name)) return [name, call];
    return [name, async (...input) => {
      await pass();
      return await call(...input);
    }];
  });
  return Object.fromEntries(gated) as unknown as Processor;
}

/**
 * Codes are sent all the same: an operator has to sign in to end the hold, and
 * whoever changes an address is shown the page that asks for them.
 */
function gatedMailer(mailer: Mailer, pass: () => Promise<void>): Mailer {
  return {
    keepsText: mailer.keepsText,
    async send(mail) {
      if (!hasCode(mail)) await pass();
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
