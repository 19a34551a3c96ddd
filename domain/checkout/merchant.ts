/** Who is paid, as an agent has to name it to get a shared payment token. */
export interface Merchant {
  /** The seller's profile at the processor, `profile_…`. */
  profileId: string;
  /** Whether the tokens take real money. */
  environment: "test" | "live";
}
