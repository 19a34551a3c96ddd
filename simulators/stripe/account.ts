/**
 * The seller whose account is simulated, and what the processor charges it.
 *
 * @module
 */

/** What the processor keeps of each movement; nothing unless set. */
export interface Fees {
  /** Of each charge, in hundredths of a percent. */
  chargeBasisPoints: number;
  /** For each charge besides, cents. */
  chargeCents: number;
  /** For each dispute that withdraws money, cents; not given back. */
  disputeCents: number;
}

/** The seller, as invoices name it. */
export interface Seller {
  name: string;
  /** Lines of the postal address. */
  address: string[];
  /** ISO 3166-1 alpha-2. */
  country: string;
  vatId: string | null;
  email: string | null;
}

/** The account with its terms. */
export interface Account {
  seller: Seller;
  /** May be changed while the simulator runs. */
  fees: Fees;
}

/** The seller of simulators that are told of none. */
export const SIMULATED_SELLER: Seller = {
  name: "Simulated seller",
  address: ["Teststrasse 1", "1010 Wien"],
  country: "AT",
  vatId: "ATU00000000",
  email: null,
};

/** No fees at all. */
export const NO_FEES: Fees = {
  chargeBasisPoints: 0,
  chargeCents: 0,
  disputeCents: 0,
};

/** The fee of a charge, cents, rounded half up. */
export function chargeFee(fees: Fees, amount: number): number {
  const share = Math.round(amount * fees.chargeBasisPoints / 10_000);
  return fees.chargeCents + share;
}
