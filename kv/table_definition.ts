import type { Families } from "../domain/ports.ts";
import type { IndexRow } from "./index_rows.ts";

/** How one family is laid out in the store. */
export interface TableDefinition<T, Id extends readonly unknown[]> {
  key: (...id: Id) => Deno.KvKey;
  idOf: (value: T) => Id;
  indexes?: (value: T) => readonly IndexRow[];
  /** The members of every index row that are its record's id, in their order. */
  pointer?: readonly string[];
  /** The families of {@linkcode indexes}, so that their rows can be walked. */
  indexFamilies?: readonly string[];
}

/** How some families are laid out. */
export type TableDefinitions<F extends keyof Families> = {
  readonly [Each in F]: TableDefinition<
    Families[Each]["value"],
    Families[Each]["id"]
  >;
};

/** What the keys of a family begin with. */
export function familyOf(keyOf: (...parts: never[]) => Deno.KvKey): string {
  return String(keyOf()[0]);
}
