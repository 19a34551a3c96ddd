import { isbot } from "isbot";
import type { ClickJudge } from "../../domain/clicks/request_outcome.ts";
import { remembered } from "../../domain/remembered.ts";
import { openCountries } from "./countries.ts";

/** User agents whose verdict is remembered: few make up nearly all requests. */
const REMEMBERED_MAX = 2_000;

/**
 * Judges requests by isbot's list of user agents and a database of countries:
 * the newer one given, or the one that comes with the service.
 *
 * @throws {Error} when the bytes given are no database of countries
 */
export function createClickJudge(newer?: Uint8Array): ClickJudge {
  return {
    isBot: remembered(REMEMBERED_MAX, isbot),
    countryOf: openCountries(newer),
  };
}
