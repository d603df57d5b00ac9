import type { LiveMessage, LiveState } from '../../read-model/live/message.ts';
import { type Clock, repeat } from '../../ports/clock.ts';
import type { AccessScope } from '../scopes.ts';
import { makesRoom } from './capacity.ts';

/** The present state, with the details of these events. */
export type LiveSource = (events: ReadonlySet<string>) => LiveState;

/** A page that follows the daemon. */
export interface Viewer {
  /** Keys of the events whose details it shows. */
  readonly events: ReadonlySet<string>;
  /** It gets changes at most so often. */
  readonly everyMs: number;
  /** What it may do. Each scope has seats of its own. */
  readonly scope: AccessScope;
  /** Whoever follows: a token, or the link or session that its own came from. */
  readonly holder: string;
  /** Sends a message. Returns false if it waits in this process: then `drained` tells when it has left. */
  write(message: string): boolean;
  /** Whether its token is still good. */
  isAllowed(): boolean;
  end(): void;
}

export interface Seat {
  /** The last message has left. */
  drained(): void;
  left(): void;
}

/** What others learn of a hub. */
export interface HubNotes {
  /** How long a state took to be computed and sent: for so long nothing else happened. */
  readonly onSent?: (tookMs: number) => void;
  /** A page of this scope had to give its seat to another. */
  readonly onDisplaced?: (scope: AccessScope) => void;
}

/** Pages need no more, and a stranger's tabs must not cost the engine time. */
export const SEATS: Readonly<Record<AccessScope, number>> = { read: 16, reduce: 8, control: 8 };
/** Changes are collected for at least this long. */
export const EVERY_MS = 100;
/** Timers are not exact. */
const SLACK_MS = 20;
/** A page learns at least so often that the daemon lives. */
const HEARTBEAT_MS = 1_000;
/** A stalled page is disconnected after this. It may connect again. */
const STALLED_MS = 10_000;

interface Seated {
  readonly viewer: Viewer;
  /** The text of each piece as last sent. */
  sent: ReadonlyMap<string, string>;
  lastMs: number;
  /** Since when a message waits; null while none does. */
  waitingMs: number | null;
}

interface WrittenPiece {
  readonly name: string;
  readonly event: string | null;
  readonly text: string;
}

/**
 * Sends each page what changed. One state serves all pages. A page that cannot keep up misses states, never a change: its next message
 * holds whatever differs from what it was last sent. While no page looks, nothing is computed.
 */
export class LiveHub {
  readonly #source: LiveSource;
  readonly #clock: Clock;
  readonly #notes: HubNotes;
  readonly #seats = new Set<Seated>();
  #stop: (() => void) | null = null;

  constructor(source: LiveSource, clock: Clock, notes: HubNotes = {}) {
    this.#source = source;
    this.#clock = clock;
    this.#notes = notes;
  }

  /** The number of pages that follow. */
  get viewers(): number {
    return this.#seats.size;
  }

  /**
   * Sends a viewer everything, then the changes. If the seats of its scope are taken, one of the holder who has the most of them ends. Null
   * if all of these holders have one.
   */
  join(viewer: Viewer): Seat | null {
    if (!this.#makeRoom(viewer)) return null;
    const seated: Seated = { viewer, sent: new Map(), lastMs: -Infinity, waitingMs: null };
    this.#seats.add(seated);
    this.#send([seated]);
    this.#stop ??= repeat(this.#clock, EVERY_MS, () => this.#send([...this.#seats]));
    return {
      drained: () => {
        seated.waitingMs = null;
      },
      left: () => this.#leave(seated),
    };
  }

  /** The whole state once, for whoever does not follow. */
  now(events: ReadonlySet<string>): LiveState {
    return this.#source(events);
  }

  /** Lets every viewer go. */
  close(): void {
    for (const seated of this.#seats) this.#dismiss(seated);
  }

  #send(seats: readonly Seated[]): void {
    const nowMs = this.#clock.monotonicMs();
    for (const seated of seats) this.#judge(seated, nowMs);
    const isDue = ({ viewer, lastMs }: Seated): boolean => nowMs - lastMs >= viewer.everyMs - SLACK_MS;
    const ready = seats.filter(
      (seated) => this.#seats.has(seated) && seated.waitingMs === null && isDue(seated),
    );
    if (ready.length === 0) return;
    const state = this.#source(new Set(ready.flatMap(({ viewer }) => [...viewer.events])));
    const pieces = state.pieces.map(({ name, event, value }) => ({
      name,
      event,
      text: JSON.stringify(value),
    }));
    for (const seated of ready) sendTo(seated, state, pieces, nowMs);
    this.#notes.onSent?.(this.#clock.monotonicMs() - nowMs);
  }

  /** Returns whether there is a seat. */
  #makeRoom({ scope, holder }: Viewer): boolean {
    const taken = [...this.#seats].filter(({ viewer }) => viewer.scope === scope);
    if (taken.length < SEATS[scope]) return true;
    const holding = taken.map((seated) => ({
      seated,
      holder: seated.viewer.holder,
      isStalled: seated.waitingMs !== null,
    }));
    const giving = makesRoom(holding, holder);
    if (giving === null) return false;
    this.#dismiss(giving.seated);
    this.#notes.onDisplaced?.(scope);
    return true;
  }

  #judge(seated: Seated, nowMs: number): void {
    const isStalled = seated.waitingMs !== null && nowMs - seated.waitingMs > STALLED_MS;
    if (isStalled || !seated.viewer.isAllowed()) this.#dismiss(seated);
  }

  #dismiss(seated: Seated): void {
    this.#leave(seated);
    seated.viewer.end();
  }

  #leave(seated: Seated): void {
    this.#seats.delete(seated);
    if (this.#seats.size > 0) return;
    this.#stop?.();
    this.#stop = null;
  }
}

function sendTo(seated: Seated, state: LiveState, pieces: readonly WrittenPiece[], nowMs: number): void {
  const { viewer, sent } = seated;
  const seen = new Map<string, string>();
  const changed: string[] = [];
  for (const { name, event, text } of pieces) {
    if (event !== null && !viewer.events.has(event)) continue;
    seen.set(name, text);
    if (sent.get(name) !== text) changed.push(`${JSON.stringify(name)}:${text}`);
  }
  const gone = [...sent.keys()].filter((name) => !seen.has(name));
  const isFirst = sent.size === 0;
  const isQuiet = changed.length === 0 && gone.length === 0;
  if (isQuiet && nowMs - seated.lastMs < HEARTBEAT_MS) return;
  const { atMs, frameAtMs } = state;
  const head: Omit<LiveMessage, 'set'> = { atMs, frameAtMs, isFirst, ...(gone.length === 0 ? {} : { gone }) };
  const set = changed.length === 0 ? '' : `,"set":{${changed.join(',')}}`;
  seated.sent = seen;
  seated.lastMs = nowMs;
  if (!viewer.write(`data: ${JSON.stringify(head).slice(0, -1)}${set}}\n\n`)) seated.waitingMs = nowMs;
}
