import {
  LIST_QUERY,
  type ListAnswer,
  listPage,
  type ListSource,
  positionedQuery,
} from "../../http/list_query.ts";
import type { Positions } from "../../http/positions.ts";
import type { Asked } from "./operation.ts";

/** A list of the operator API, so much of it at a time. */
export interface AskedList<Place, Item>
  extends ListSource<Place, Item, unknown> {
  /** Begins the sentence of a refusal. */
  action: string;
  positions: Positions<Place>;
  /** Items of one answer. */
  max: number;
}

/** Answers the part of a list behind the cursor of the query. */
export function listAnswer<Place, Item>(
  { query }: Pick<Asked, "query">,
  { action, positions, max: limit, ...source }: AskedList<Place, Item>,
): Promise<ListAnswer<unknown>> {
  const { cursor } = query(LIST_QUERY.pick({ cursor: true }), action);
  const asked = positionedQuery({ limit, cursor }, action, positions.shape);
  return listPage(positions, asked, source);
}
