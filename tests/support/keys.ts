import type { Keys } from "../../domain/ports.ts";
import { secretKeys } from "../../config/secret_keys.ts";

/** The secret of services that tests start in processes of their own. */
export const TEST_SECRET = "s".repeat(40);

/** Keys of a service in tests. */
export const TEST_KEYS: Keys = secretKeys({ secrets: [TEST_SECRET] });
