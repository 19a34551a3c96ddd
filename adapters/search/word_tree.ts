/**
 * Reading the trees of terms that Orama keeps. Its own look-up finds every
 * word that begins with the one asked for and compares lists of documents in
 * quadratic time, so ours walks the tree itself.
 *
 * @module
 */
import type { components } from "@orama/orama";

type Tree = components.index.Tree;
/** A tree of terms, or the part of it below a node. */
export type WordTree = Extract<Tree, { type: "Radix" }>["node"];

/** The documents that hold exactly the term, by Orama's internal ids. */
export function documentsWith(tree: WordTree, term: string): Set<number> {
  const node = nodeAt(tree, term);
  return node?.w === term && node.e ? node.d : NONE;
}

const NONE: Set<number> = new Set();

/** The terms that begin with the text and stand in some document. */
export function* termsBeginningWith(
  tree: WordTree,
  prefix: string,
): Generator<string> {
  const start = nodeAt(tree, prefix);
  const stack = start === null ? [] : [start];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.e && node.d.size > 0) yield node.w;
    stack.push(...node.c.values());
  }
}

/** The first node whose word begins with the text. */
function nodeAt(tree: WordTree, text: string): WordTree | null {
  let node = tree;
  while (node.w.length < text.length) {
    const next = node.c.get(text[node.w.length] ?? "");
    if (next === undefined) return null;
    const begin = text.slice(0, next.w.length);
    if (!next.w.startsWith(begin)) return null;
    node = next;
  }
  return node;
}
