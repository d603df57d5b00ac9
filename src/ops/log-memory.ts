import { hasText, isFrom, type LeastLevel, readLine } from '../read-model/live/log-lines.ts';

/** A search for lines of the log. */
export interface LogQuestion {
  /** In the time of day, the message or a field, in letters of any case. */
  readonly find: string;
  readonly level: LeastLevel;
  readonly limit: number;
}

interface Bounds {
  readonly lines: number;
  readonly bytes: number;
}

/** Trading on the modelled market writes 640 lines a minute, of 350 bytes: this holds more than an hour of it. */
const RECENT: Bounds = { lines: 50_000, bytes: 18 * 1024 * 1024 };
/** Warnings and commands of persons are kept longer. */
const WEIGHTY: Bounds = { lines: 5_000, bytes: 2 * 1024 * 1024 };

/** As many lines go to whoever looks at the end of the log. */
export const TAIL_LINES = 300;

/** The lines of a log that are kept in memory. All have their order. */
export class LogMemory {
  /** Lines of weight that are no longer among the recent ones. */
  readonly #weighty;
  readonly #recent;

  constructor(recent = RECENT, weighty = WEIGHTY) {
    this.#weighty = new Queue(weighty, () => undefined);
    this.#recent = new Queue(recent, (line) => {
      if (isWeighty(line)) this.#weighty.push(line);
    });
  }

  push(line: string): void {
    this.#recent.push(line);
  }

  /** The last lines, the newest last. */
  tail(): readonly string[] {
    return this.#recent.last(TAIL_LINES);
  }

  /** The newest lines of a kind, the newest last. It takes some 20 ms at most. */
  find({ find, level, limit }: LogQuestion): readonly string[] {
    const found: string[] = [];
    // Few lines have the longest word: only these are read.
    const [word = ''] = (find.match(/[\w:.-]+/g) ?? []).toSorted((a, b) => b.length - a.length);
    const mayHave = new RegExp(word.replaceAll('.', '\\.'), 'i');
    for (const line of this.#newestFirst()) {
      if (found.length >= limit) break;
      if (mayHave.test(line) && isFound(line, find, level)) found.push(line);
    }
    return found.toReversed();
  }

  *#newestFirst(): Iterable<string> {
    yield* this.#recent.newestFirst();
    yield* this.#weighty.newestFirst();
  }
}

const WEIGHT = /^\{"level":"(?:warn|error|fatal)"|"logEvent":"operator_command"/;
const isWeighty = (line: string): boolean => WEIGHT.test(line);

function isFound(line: string, text: string, least: LeastLevel): boolean {
  const { time, level, words } = readLine(line);
  return isFrom(level, least) && hasText(`${time} ${words}`, text);
}

/** Lines up to bounds. `onLeft` takes the oldest ones when they go. */
class Queue {
  readonly #bounds: Bounds;
  readonly #onLeft: (line: string) => void;
  #lines: string[] = [];
  /** The index of the oldest line that is kept. */
  #first = 0;
  #bytes = 0;

  constructor(bounds: Bounds, onLeft: (line: string) => void) {
    [this.#bounds, this.#onLeft] = [bounds, onLeft];
  }

  push(line: string): void {
    this.#lines.push(line);
    this.#bytes += line.length;
    const { lines, bytes } = this.#bounds;
    while (this.#lines.length - this.#first > lines || this.#bytes > bytes) this.#leave();
  }

  last(count: number): readonly string[] {
    return this.#lines.slice(Math.max(this.#first, this.#lines.length - count));
  }

  *newestFirst(): Iterable<string> {
    for (let i = this.#lines.length - 1; i >= this.#first; i--) yield this.#lines[i] ?? '';
  }

  #leave(): void {
    const line = this.#lines[this.#first] ?? '';
    this.#lines[this.#first++] = '';
    this.#bytes -= line.length;
    this.#onLeft(line);
    // Moved rarely, because each move costs as much as there are lines.
    if (this.#first < this.#lines.length / 2) return;
    this.#lines = this.#lines.slice(this.#first);
    this.#first = 0;
  }
}
