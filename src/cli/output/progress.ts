/** A bar on a terminal that tells how far a long work is, and how long it still takes. Writes nothing elsewhere. */
export interface ProgressLine {
  readonly show: (done: number, total: number) => void;
  /** Removes the line. */
  readonly end: () => void;
}

const AT_MOST_EVERY_MS = 200;
const BAR = 20;
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
      const share = Math.min(1, done / total);
      const bar = '#'.repeat(Math.floor(BAR * share)).padEnd(BAR, '.');
      output.write(`${ERASE}${what} [${bar}] ${Math.floor(100 * share)} %, ${timeLeft(leftS)} left`);
    },
    end: () => void output.write(ERASE),
  };
}

const timeLeft = (seconds: number): string =>
  seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
