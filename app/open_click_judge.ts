import { ConfigError } from "../config/config.ts";
import type { ClickJudge } from "../domain/clicks/request_outcome.ts";
import { createClickJudge } from "../adapters/clicks/click_judge.ts";

/** A newer database of countries, where an operator has put one. */
const NEWER_COUNTRIES = "country.mmdb";

/**
 * What clicks are judged with. A `country.mmdb` in the service's folder takes
 * the place of the database that comes with it.
 *
 * @throws {ConfigError} when that file is no such database
 */
export async function openClickJudge(
  dataDir: string | null,
): Promise<ClickJudge> {
  if (dataDir === null) return createClickJudge();
  const path = `${dataDir}/${NEWER_COUNTRIES}`;
  const newer = await Deno.readFile(path).catch((error) => {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  });
  try {
    return createClickJudge(newer);
  } catch (cause) {
    throw new ConfigError(
      `Cannot start: ${path} must be a MaxMind DB of countries`,
      { cause },
    );
  }
}
