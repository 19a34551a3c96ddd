import { isbot } from "isbot";
import type { ClickJudge } from "../domain/clicks/request_outcome.ts";
import { openCountries } from "./countries.ts";

/**
 * Judges requests by isbot's list of user agents and a database of countries:
 * the newer one given, or the one that comes with the service.
 *
 * @throws {Error} when the bytes given are no database of countries
 */
export function createClickJudge(newer?: Uint8Array): ClickJudge {
  return {
    isBot: (userAgent) => isbot(userAgent),
    countryOf: openCountries(newer),
  };
}
