/** Places in a file, as offsets of characters: `[from, to, from, to, …]`, ascending, without overlap. */
export type Spans = readonly number[];

/** A stretch of a script that V8 counted; a stretch inside another has its own count. */
export interface Counted {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly count: number;
}

/** The places inside of functions that ran. `functions` holds the stretches of each function as V8 reports them. */
export function ranSpans(functions: readonly { readonly ranges: readonly Counted[] }[]): Spans {
  // A module's own code runs once for all test files of a process, so its count says nothing about the last one.
  const inner = functions.map(({ ranges }) => ranges).filter(([whole]) => whole?.startOffset !== 0);
  const stretches = inner
    .flat()
    .toSorted((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset);
  const spans = new Builder();
  const open: Counted[] = [];
  let at = 0;
  const closeUntil = (offset: number): void => {
    for (let last = open.at(-1); last !== undefined && last.endOffset <= offset; last = open.at(-1)) {
      spans.add(at, last.endOffset, last.count > 0);
      at = Math.max(at, last.endOffset);
      open.pop();
    }
    spans.add(at, offset, (open.at(-1)?.count ?? 0) > 0);
    at = offset;
  };
  for (const stretch of stretches) {
    closeUntil(stretch.startOffset);
    open.push(stretch);
  }
  closeUntil(Number.MAX_SAFE_INTEGER);
  return spans.built;
}

class Builder {
  readonly built: number[] = [];

  add(from: number, to: number, ran: boolean): void {
    if (!ran || to <= from) return;
    if (this.built.at(-1) === from) this.built[this.built.length - 1] = to;
    else this.built.push(from, to);
  }
}

/** Whether a place lies in the spans. */
export function isIn(spans: Spans, offset: number): boolean {
  for (let at = 0; at < spans.length; at += 2)
    if ((spans[at] ?? 0) <= offset && offset < (spans[at + 1] ?? 0)) return true;
  return false;
}

/** The places that are in either of two spans. */
export function union(a: Spans, b: Spans): Spans {
  const pairs = [...pairsOf(a), ...pairsOf(b)].toSorted(([x], [y]) => x - y);
  const all: number[] = [];
  for (const [from, to] of pairs) {
    const end = all.at(-1);
    if (end !== undefined && from <= end) all[all.length - 1] = Math.max(end, to);
    else all.push(from, to);
  }
  return all;
}

const pairsOf = (spans: Spans): (readonly [number, number])[] =>
  Array.from({ length: spans.length / 2 }, (_, at) => [spans[2 * at] ?? 0, spans[2 * at + 1] ?? 0]);
