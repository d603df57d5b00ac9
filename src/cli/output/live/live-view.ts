import type { LiveEvent, LiveState } from '../../../read-model/live/message.ts';
import { eventsOf, heldIn } from '../../../read-model/live/pieces.ts';
import type { EventStatus, Status } from '../../../read-model/status.ts';
import { besideOf } from './blocks.ts';
import { eventTable } from './event-table.ts';
import { LADDER_COLUMNS } from './ladder.ts';
import { PinnedLadder } from './pinned-ladder.ts';
import { shortened, withNames } from './recent-lines.ts';
import { type Besides, renderStatus, TABLE_COLUMNS, type TerminalSize } from './status-view.ts';
import { clip, widthOf } from './styles.ts';

/** What a key asks for. */
export type KeyCommand = 'pause' | 'resume' | 'kill' | 'quit';

const SORTS = ['first seen', 'start', 'at risk'] as const;
type Sort = (typeof SORTS)[number];

const HELP = 'p pause   r resume   k kill   s sort   h help';
const LADDER_HELP = '   e event   n selection';

/** From so many rows on the table of events is shown: below, the rows of selections need them. */
const ROWS_FOR_EVENTS = 30;

/** Whether a terminal has room for what the state for pages holds, so that somebody has to read it. */
export const showsState = (size: TerminalSize): boolean => hasEvents(size) || hasLadder(size);

const hasEvents = ({ rows }: TerminalSize): boolean => rows >= ROWS_FOR_EVENTS;
/** The ladder takes no column from the rows of selections. */
const hasLadder = ({ columns }: TerminalSize): boolean => besideOf(columns, LADDER_COLUMNS) >= TABLE_COLUMNS;

/** What the view shows at one instant. */
export interface Watched {
  readonly status: Status;
  /** With the details of the view's events; null where the terminal has no room for it. */
  readonly state: LiveState | null;
  /** The last lines of the log as JSON, the newest last. */
  readonly log: readonly string[];
}

/**
 * The live view on a terminal: it keeps rows in their places, and turns keys into commands. A kill and a resume are asked for
 * twice; any other key cancels.
 */
export class LiveView {
  readonly #places = new Map<string, number>();
  readonly #quits: boolean;
  readonly #ladder = new PinnedLadder();
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
    this.#look(key);
    return null;
  }

  /** Keys that change only what is shown. */
  #look(key: string): void {
    if (key === 's') this.#sort = SORTS[(SORTS.indexOf(this.#sort) + 1) % SORTS.length] as Sort;
    if (key === 'e') this.#ladder.nextEvent();
    if (key === 'n') this.#ladder.nextSelection();
    if (key === 'h' || key === '?') this.#helps = !this.#helps;
  }

  /** Shows a text in the last line until the next key. */
  notice(text: string): void {
    this.#notice = text;
  }

  /** Shows the address of the dashboard above the last line. */
  link(address: string): void {
    this.#link = address;
  }

  /** The events whose details the view needs. */
  get events(): ReadonlySet<string> {
    return this.#ladder.events;
  }

  /** Never more lines than the terminal has rows, none wider than it has columns. */
  render({ status, state, log }: Watched, size: TerminalSize): string[] {
    const events = this.#sorted(status.events);
    const foot = [...this.#address(size), this.#lastLine(size)];
    const rows = Math.max(0, size.rows - foot.length);
    const lines = renderStatus(
      status,
      withNames(log.slice(-size.rows).map(shortened), events),
      { ...size, rows },
      events,
      this.#besides(state, events, size),
    );
    return [...lines, ...foot].slice(-Math.max(1, size.rows)).map((line) => clip(line, size.columns));
  }

  #besides(state: LiveState | null, order: readonly EventStatus[], size: TerminalSize): Besides {
    if (state === null) return { above: null, right: null };
    const held = heldIn(state);
    const placeOf = ({ key }: LiveEvent): number => order.findIndex((event) => event.key === key);
    const events = eventsOf(held).toSorted((a, b) => placeOf(a) - placeOf(b));
    this.#ladder.take(held, events);
    const block = this.#ladder.block();
    return {
      above: hasEvents(size) ? (columns) => eventTable(events, state.atMs, columns) : null,
      right: hasLadder(size) && block !== null ? { columns: LADDER_COLUMNS, block } : null,
    };
  }

  /** The address works whole or not at all. */
  #address({ columns }: TerminalSize): readonly string[] {
    if (this.#link === null) return [];
    const line = `dashboard: ${this.#link}`;
    return [widthOf(line) <= columns ? line : 'dashboard: touchline dashboard tells its address'];
  }

  #lastLine(size: TerminalSize): string {
    if (this.#asks === 'kill') return 'KILL: stop all trading and close every order? y to confirm';
    if (this.#asks === 'resume') return 'RESUME: trade again? y to confirm';
    if (this.#notice !== null) return this.#notice;
    const sort = `sorted by ${this.#sort}`;
    const keys = `${HELP}${hasLadder(size) ? LADDER_HELP : ''}${this.#quits ? '   q quit' : ''}`;
    return `${this.#helps ? keys : 'h help'}   (${sort})`;
  }

  /** Events keep the place at which they were first seen, unless another order was chosen. */
  #sorted(events: readonly EventStatus[]): readonly EventStatus[] {
    for (const { key } of events) if (!this.#places.has(key)) this.#places.set(key, this.#places.size);
    const placeOf = ({ key }: EventStatus): number => this.#places.get(key) ?? 0;
    return events.toSorted((a, b) => RANKS[this.#sort](a) - RANKS[this.#sort](b) || placeOf(a) - placeOf(b));
  }
}

const RANKS: Readonly<Record<Sort, (event: EventStatus) => number>> = {
  'first seen': () => 0,
  start: ({ startsInMs }) => startsInMs ?? 0,
  'at risk': ({ selections }) => Math.min(0, ...selections.flatMap(({ ifWin, ifLose }) => [ifWin, ifLose])),
};
