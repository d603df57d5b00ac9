/** A line on a terminal that tells how far a long work is, and how long it still takes. Writes nothing elsewhere. */
export interface ProgressLine {
  readonly show: (done: number, total: number) => void;
  /** Removes the line. */
  readonly end: () => void;
}

const AT_MOST_EVERY_MS = 200;
const ERASE = '\r\u001B[K';

export function progressLine(
  output: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>,
  what: string,
  nowMs: () => number,
): ProgressLine {
  if (!output.isTTY) return { show: () => undefined, end: () => undefined };
  const startedMs = nowMs();
  let shownMs = -Infinity;
  return {
    show(done, total) {
      const atMs = nowMs();
      if (total <= 0 || done <= 0 || atMs - shownMs < AT_MOST_EVERY_MS) return;
      shownMs = atMs;
      const leftS = Math.ceil(((atMs - startedMs) * (total - done)) / done / 1000);
      output.write(`${ERASE}${what}: ${Math.floor((100 * done) / total)} %, ${leftS} s left`);
    },
    end: () => void output.write(ERASE),
  };
}
