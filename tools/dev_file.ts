/**
 * `DATA_DIR/dev.json`: where a development service is and how to bid on it. It
 * is there while the service runs, so scripts wait for it.
 *
 * @module
 */
import type { DemoAccess } from "./demo/open_demo_access.ts";
import { isoTime } from "../domain/day.ts";
import type { Settings } from "../domain/ports.ts";

/** The contents of the file. */
export interface DevFile {
  base_url: string;
  auth_url: string;
  docs_mcp_url: string;
  processor_url: string;
  outbox_url: string;
  accounts: {
    email: string;
    access_token: string;
    ad_id: string;
    payment_method_id: string;
    scopes: readonly string[];
    mandate: {
      max_bid_cents: number;
      daily_cap_cents: number;
      valid_until: string;
    };
  }[];
}

/** What a running development service tells of itself. */
export function devFileOf(
  settings: Pick<Settings, "baseUrl" | "authUrl" | "docsMcpUrl">,
  processorUrl: string,
  accesses: readonly DemoAccess[],
): DevFile {
  return {
    base_url: settings.baseUrl,
    auth_url: settings.authUrl,
    docs_mcp_url: settings.docsMcpUrl,
    processor_url: processorUrl,
    outbox_url: `${settings.baseUrl}/dev/outbox`,
    accounts: accesses.map(({ mandate, ...access }) => ({
      email: access.email,
      access_token: access.accessToken,
      ad_id: access.adId,
      payment_method_id: access.paymentMethodId,
      scopes: access.scopes,
      mandate: {
        max_bid_cents: mandate.maxBidCents,
        daily_cap_cents: mandate.dailyCapCents,
        valid_until: isoTime(mandate.validUntilMs),
      },
    })),
  };
}

/** Writes the file whole or not at all, for its owner only. */
export async function writeDevFile(
  dataDir: string,
  file: DevFile,
): Promise<void> {
  const temporary = `${pathIn(dataDir)}.${Deno.pid}.tmp`;
  const text = `${JSON.stringify(file, null, 2)}\n`;
  await Deno.writeTextFile(temporary, text, { mode: 0o600 });
  await Deno.rename(temporary, pathIn(dataDir));
}

/** The file of the service that runs there, or null. */
export async function readDevFile(dataDir: string): Promise<DevFile | null> {
  try {
    return JSON.parse(await Deno.readTextFile(pathIn(dataDir)));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}

/** Takes the file away, so that nobody asks a service that does not run. */
export async function removeDevFile(dataDir: string): Promise<void> {
  try {
    await Deno.remove(pathIn(dataDir));
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

function pathIn(dataDir: string): string {
  return `${dataDir}/dev.json`;
}
