/**
 * Lists in their wire shape.
 *
 * @module
 */

/** An embedded or listed page of objects. */
export type Page<T> = {
  /** Always `list`. */
  object: "list";
  /** The objects, newest first unless said otherwise. */
  data: T[];
  /** Whether more follow. */
  has_more: boolean;
  /** Path of the list. */
  url: string;
};
