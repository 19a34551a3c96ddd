import type { Processor } from "../../domain/payments/processor.ts";
import { Crash } from "./faults.ts";

/** Where a process dies: before or after its n-th processor call, from 1. */
export interface CallCrash {
  call: number;
  when: "before" | "after";
}

/**
 * A processor whose caller dies around one call: before it the processor never
 * hears of it, after it the processor has done it and nobody learns so.
 */
export function crashingProcessor(
  real: Processor,
  crash: CallCrash,
  die: () => void,
): Processor {
  let calls = 0;
  return new Proxy(real, {
    get(target, name: keyof Processor) {
      const method = target[name] as (...args: unknown[]) => Promise<unknown>;
      return async (...args: unknown[]) => {
        calls += 1;
        if (calls !== crash.call) return await method(...args);
        if (crash.when === "after") await method(...args);
        die();
        throw new Crash();
      };
    },
  });
}
