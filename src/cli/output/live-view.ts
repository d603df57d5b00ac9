import type { EventStatus, Status } from '../../read-model/status.ts';
import { withNames } from './recent-lines.ts';
import { renderStatus, type TerminalSize } from './status-view.ts';

/** What a key asks for. */
export type KeyCommand = 'pause' | 'resume' | 'kill' | 'quit';

const SORTS = ['first seen', 'start', 'at risk'] as const;
type Sort = (typeof SORTS)[number];

const HELP = 'p pause   r resume   k kill   s sort   h help';

/**
 * The live view on a terminal: it keeps rows in their places, and turns keys into commands. A kill and a resume are asked for
 * twice; any other key cancels.
 */
export class LiveView {
  readonly #places = new Map<string, number>();
  readonly #quits: boolean;
  #sort: Sort = 'first seen';
  #asks: 'kill' | 'resume' | null = null;
  #helps = false;
  #notice: string | null = null;
  #link: string | null = null;

  /** `quits`: the view can be left while what it shows goes on. */
  constructor(quits: boolean) {
    this.#quits = quits;
  }

  /** The command that a key completes; null if it completes none. */
  onKey(key: string): KeyCommand | null {
    this.#notice = null;
    const asked = this.#asks;
    this.#asks = null;
    if (asked !== null) return key === 'y' ? asked : null;
    if (key === 'q' && this.#quits) return 'quit';
    if (key === 'p') return 'pause';
    if (key === 'k') this.#asks = 'kill';
    if (key === 'r') this.#asks = 'resume';
    if (key === 's') this.#sort = SORTS[(SORTS.indexOf(this.#sort) + 1) % SORTS.length] as Sort;
    if (key === 'h' || key === '?') this.#helps = !this.#helps;
    return null;
  }

  /** Shows a text in the last line until the next key. */
  notice(text: string): void {
    this.#notice = text;
  }

  /** Shows the address of the dashboard above the last line. */
  link(address: string): void {
    this.#link = address;
  }

  render(status: Status, recent: readonly string[], size: TerminalSize): string[] {
    const foot = [...(this.#link === null ? [] : [`dashboard: ${this.#link}`]), this.#lastLine()];
    const rows = size.rows - foot.length;
    const lines = renderStatus(
      status,
      withNames(recent, status.events),
      { ...size, rows },
      this.#sorted(status.events),
    );
    return [...lines.slice(0, rows), ...foot]
      .slice(0, size.rows)
      .map((line, i, all) => (i === all.length - 1 ? line.slice(0, size.columns) : line));
  }

  #lastLine(): string {
    if (this.#asks === 'kill') return 'KILL: stop all trading and close every order? y to confirm';
    if (this.#asks === 'resume') return 'RESUME: trade again? y to confirm';
    if (this.#notice !== null) return this.#notice;
    const sort = `sorted by ${this.#sort}`;
    return this.#helps ? `${HELP}${this.#quits ? '   q quit' : ''}   (${sort})` : `h help   (${sort})`;
  }

  /** Events keep the place at which they were first seen, unless another order was chosen. */
  #sorted(events: readonly EventStatus[]): readonly EventStatus[] {
    for (const event of events) {
      const key = keyOf(event);
      if (!this.#places.has(key)) this.#places.set(key, this.#places.size);
    }
    const placeOf = (event: EventStatus): number => this.#places.get(keyOf(event)) ?? 0;
    return events.toSorted((a, b) => RANKS[this.#sort](a) - RANKS[this.#sort](b) || placeOf(a) - placeOf(b));
  }
}

/** Names repeat across sports. */
const keyOf = ({ sport, name, selections }: EventStatus): string =>
  `${sport} ${name} ${selections[0]?.selectionId.split('|')[1] ?? ''}`;

const RANKS: Readonly<Record<Sort, (event: EventStatus) => number>> = {
  'first seen': () => 0,
  start: ({ startsInMs }) => startsInMs ?? 0,
  'at risk': ({ selections }) => Math.min(0, ...selections.flatMap(({ ifWin, ifLose }) => [ifWin, ifLose])),
};
