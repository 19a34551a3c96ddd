import { ProcessorUncertain } from "../failure.ts";

/** The processor does not delete something of an account that is erased, for now. */
export class KeptThere extends ProcessorUncertain {
  /**
   * @param code the processor's, or ours for a check that is under way
   */
  constructor(readonly code: string) {
    super(`The processor refused: ${code}`);
  }
}
