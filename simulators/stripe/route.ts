/**
 * Routes: method, path, parameters and what to do.
 *
 * @module
 */

import type { Call } from "./call.ts";
import type { FormMap } from "./form.ts";
import type { TableName } from "./objects.ts";
import {
  list,
  type Read,
  readShape,
  type Rule,
  type Shape,
  text,
} from "./params.ts";

/** A method of the API. */
export type Method = "GET" | "POST" | "DELETE";

/** A route with its parameter types forgotten. */
export interface Route {
  /** HTTP method. */
  method: Method;
  /** Path with `:name` for an id. */
  path: string;
  /** Only preview versions of the API have it. */
  isPreview?: true;
  /**
   * Reads the parameters and returns the work itself, still to be done.
   *
   * @param isPreview whether the request asks for a preview version
   */
  prepare(form: FormMap, ids: string[], isPreview: boolean): Prepared;
}

/** A request whose parameters are in order. */
export interface Prepared {
  /** Properties to show whole instead of as ids. */
  expand: string[];
  /** Carries the request out; what it returns is the body of the answer. */
  run(call: Call): unknown;
}

const EXPAND: Rule<string[]> = list(text(100), 20);

/**
 * Declares a route. Every route takes `expand`.
 *
 * @param shape its parameters
 * @param run its work, given parameters and the ids of the path
 */
export function route<S extends Shape>(
  method: Method,
  path: string,
  shape: S,
  run: (call: Call, params: Read<S>, ...ids: string[]) => unknown,
): Route {
  const whole = { ...shape, expand: EXPAND };
  return {
    method,
    path,
    prepare(form, ids, isPreview) {
      const params = readShape(whole, form, "", isPreview);
      return {
        expand: (params.expand as string[] | undefined) ?? [],
        run: (call) => run(call, params as Read<S>, ...ids),
      };
    },
  };
}

/** Declares the route that shows one object of a table. */
export function retrieveRoute(path: string, table: TableName): Route {
  return route("GET", path, {}, (call, _, id = "") => call.get(table, id));
}

/** The same for a route that only preview versions of the API have. */
export function previewRoute<S extends Shape>(
  ...declared: Parameters<typeof route<S>>
): Route {
  return { ...route(...declared), isPreview: true };
}

/** A route that was found, with the ids of its path. */
export interface Match {
  /** The route. */
  route: Route;
  /** Ids in the order of the path. */
  ids: string[];
}

/** Longest id that is looked up. */
const MAX_ID_LENGTH = 255;

/** Finds routes by method and path. */
export class Router {
  #root: Node = newNode();

  /** Knows these routes. */
  constructor(routes: Route[]) {
    for (const each of routes) {
      let node = this.#root;
      for (const part of each.path.split("/")) {
        if (part.startsWith(":")) node = node.id ??= newNode();
        else node = getOrAdd(node.words, part);
      }
      node.routes.set(each.method, each);
    }
  }

  /** The route for a request, or `null`. */
  find(method: string, path: string): Match | null {
    let node = this.#root;
    const ids: string[] = [];
    for (const part of path.split("/")) {
      const word = node.words.get(part);
      const isId = part !== "" && part.length <= MAX_ID_LENGTH;
      if (word !== undefined) node = word;
      else if (node.id !== null && isId) {
        ids.push(part);
        node = node.id;
      } else return null;
    }
    const found = node.routes.get(method);
    return found === undefined ? null : { route: found, ids };
  }
}

interface Node {
  words: Map<string, Node>;
  id: Node | null;
  routes: Map<string, Route>;
}

function newNode(): Node {
  return { words: new Map(), id: null, routes: new Map() };
}

function getOrAdd(words: Map<string, Node>, word: string): Node {
  const node = words.get(word) ?? newNode();
  words.set(word, node);
  return node;
}
