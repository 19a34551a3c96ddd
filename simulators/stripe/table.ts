/**
 * One kind of object in memory: by id, in order of arrival, and by the fields
 * lists filter on.
 *
 * @module
 */

/** Reads the value an object is filed under; `null` files it nowhere. */
export type IndexField<T> = (object: T) => string | null;

/** Objects by id with their indexes. */
export class Table<T extends { id: string }> {
  #byId = new Map<string, T>();
  #order: string[] = [];
  #places = new Map<string, number>();
  #indexes: Map<
    string,
    { field: IndexField<T>; ids: Map<string, Set<string>> }
  >;

  /** An empty table, indexed by these fields. */
  constructor(fields: Record<string, IndexField<T>> = {}) {
    this.#indexes = new Map(
      Object.entries(fields).map((
        [name, field],
      ) => [name, { field, ids: new Map() }]),
    );
  }

  /** How many objects there are. */
  get size(): number {
    return this.#byId.size;
  }

  /** The object with this id. */
  get(id: string): T | undefined {
    return this.#byId.get(id);
  }

  /** Every object, oldest first. */
  values(): IterableIterator<T> {
    return this.#byId.values();
  }

  /**
   * Puts an object in place of the one with its id, or removes it.
   *
   * @returns what stood there before
   */
  set(id: string, object: T | undefined): T | undefined {
    const old = this.#byId.get(id);
    for (const { field, ids } of this.#indexes.values()) {
      const from = old === undefined ? null : field(old);
      const to = object === undefined ? null : field(object);
      if (from === to) continue;
      if (from !== null) unfile(ids, from, id);
      if (to !== null) file(ids, to, id);
    }
    if (object === undefined) this.#byId.delete(id);
    else this.#place(id, object);
    return old;
  }

  /** Ids filed under a value of an index, newest first. */
  filed(index: string, value: string): string[] {
    const found = this.#indexes.get(index)?.ids.get(value);
    if (found === undefined) return [];
    return [...found].sort((a, b) => this.place(b) - this.place(a));
  }

  /** Where the object stands in the order of arrival; -1 when it never came. */
  place(id: string): number {
    return this.#places.get(id) ?? -1;
  }

  /** Every object that arrived before a place, newest first. */
  *newestFirst(before: number = this.#order.length): Generator<T> {
    for (let at = Math.min(before, this.#order.length) - 1; at >= 0; at--) {
      const object = this.#byId.get(this.#order[at] ?? "");
      if (object !== undefined) yield object;
    }
  }

  #place(id: string, object: T): void {
    this.#byId.set(id, object);
    if (this.#places.has(id)) return;
    if (this.#order.length > 2 * this.#byId.size + 1_000) this.#closeGaps();
    this.#places.set(id, this.#order.length);
    this.#order.push(id);
  }

  #closeGaps(): void {
    this.#order = this.#order.filter((id) => this.#byId.has(id));
    this.#places = new Map(this.#order.map((id, place) => [id, place]));
  }
}

function file(ids: Map<string, Set<string>>, value: string, id: string): void {
  const found = ids.get(value);
  if (found === undefined) ids.set(value, new Set([id]));
  else found.add(id);
}

function unfile(
  ids: Map<string, Set<string>>,
  value: string,
  id: string,
): void {
  const found = ids.get(value);
  found?.delete(id);
  if (found?.size === 0) ids.delete(value);
}
