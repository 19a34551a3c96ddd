import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { type Day, parseDay } from "../../domain/day.ts";
import { DAY_WANTED } from "../http/query.ts";

/**
 * Reads the day in the address of a resource.
 *
 * @throws {ProtocolError} invalid params for anything but a calendar date
 */
export function dayInUri(variable: string | undefined): Day {
  const day = parseDay(String(variable));
  if (day !== null) return day;
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `The address must end in ${DAY_WANTED}`,
  );
}
