import type ts from 'typescript';

/** A change replaces the characters of a source file from `start` to `end` with `text`. */
export interface Change {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** The kind of the change, for reports. */
  readonly mutator: string;
}

/** The changes that a kind of mutation makes at a node, none if the node is not of its kind. */
export type Mutator = (node: ts.Node, source: ts.SourceFile) => readonly Change[];

/** Puts a text in the place of a node. */
export const replaced = (node: ts.Node, source: ts.SourceFile, text: string, mutator: string): Change => ({
  start: node.getStart(source),
  end: node.end,
  text,
  mutator,
});

/** Removes an item of a list, with its comma. */
export function removed(
  list: ts.NodeArray<ts.Node>,
  at: number,
  source: ts.SourceFile,
  mutator: string,
): Change {
  const [item, next, last] = [list[at], list[at + 1], list[at - 1]];
  if (item === undefined) throw new Error(`the list has no item ${at}`);
  if (next !== undefined)
    return { start: item.getStart(source), end: next.getStart(source), text: '', mutator };
  return { start: last?.end ?? item.getStart(source), end: item.end, text: '', mutator };
}
