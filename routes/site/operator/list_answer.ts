import {
  LIST_QUERY,
  type ListAnswer,
  listPage,
  type ListSource,
  positionedQuery,
} from "../../http/list_query.ts";
import type { Positions } from "../../http/positions.ts";
import type { Asked } from "./operation.ts";

/** A list of which so much is shown at a time. */
export interface DeskList<Place, Item, Wire>
  extends ListSource<Place, Item, Wire> {
  /** Begins the sentence of a refusal. */
  action: string;
  positions: Positions<Place>;
  /** Items of one answer. */
  max: number;
}

/**
 * The part of a list behind a cursor.
 *
 * @throws {Refused} `invalid_input` for a cursor that is none of this list
 */
export function partOf<Place, Item, Wire>(
  cursor: string | undefined,
  { action, positions, max: limit, ...source }: DeskList<Place, Item, Wire>,
): Promise<ListAnswer<Wire>> {
  const asked = positionedQuery({ limit, cursor }, action, positions.shape);
  return listPage(positions, asked, source);
}

/** The same for an operation of the operator API, whose query has the cursor. */
export function listAnswer<Place, Item, Wire>(
  { query }: Pick<Asked, "query">,
  list: DeskList<Place, Item, Wire>,
): Promise<ListAnswer<Wire>> {
  const { cursor } = query(LIST_QUERY.pick({ cursor: true }), list.action);
  return partOf(cursor, list);
}
