import { mostActive, shownLadders } from '../../../read-model/live/choices.ts';
import type { LiveEvent, LiveSelection } from '../../../read-model/live/message.ts';
import { fillsOf, type Held, selectionsOf } from '../../../read-model/live/pieces.ts';
import { type Span, spanAfter } from '../../../read-model/live/rungs.ts';
import type { Block } from './blocks.ts';
import { LADDER_HEAD, ladderLines } from './ladder.ts';
import { coloured, DIM } from './styles.ts';

/** A ladder is whole in so many rows: a spread of some ticks, and six ticks around it. */
const WHOLE = LADDER_HEAD + 17;

interface ShownSpan {
  readonly id: string;
  readonly rows: number;
  readonly span: Span | null;
}

/** The ladder of one selection: of the most active event, unless a person moves it. Its prices stay in their places. */
export class PinnedLadder {
  /** Null: the most active event. */
  #pinned: string | null = null;
  #event: string | null = null;
  #selection: string | null = null;
  #shown: ShownSpan | null = null;
  #held: Held = { pieces: new Map() };
  #events: readonly LiveEvent[] = [];

  /** The events whose selections it needs. */
  get events(): ReadonlySet<string> {
    return new Set(this.#event === null ? [] : [this.#event]);
  }

  /** Takes the present state, and its events in the order in which they are shown. */
  take(held: Held, events: readonly LiveEvent[]): void {
    this.#held = held;
    this.#events = events;
    if (events.every(({ key }) => key !== this.#pinned)) this.#pinned = null;
    this.#event = this.#pinned ?? mostActive(events, fillsOf(held), this.#event);
    const selections = this.#selections();
    if (selections.length > 0)
      [this.#selection = null] = shownLadders(
        selections,
        this.#selection === null ? [] : [this.#selection],
        1,
      );
  }

  /** Pins the next event; after the last one, it is the most active again. */
  nextEvent(): void {
    const keys = this.#events.map(({ key }) => key as string);
    const at = this.#pinned === null ? -1 : keys.indexOf(this.#pinned);
    this.#pinned = keys[at + 1] ?? null;
    this.take(this.#held, this.#events);
  }

  /** Shows the next selection of the event, and stays there. */
  nextSelection(): void {
    this.#pinned = this.#event;
    const ids = this.#selections()
      .map(({ id }) => id as string)
      .toSorted();
    const at = this.#selection === null ? -1 : ids.indexOf(this.#selection);
    this.#selection = ids[(at + 1) % ids.length] ?? this.#selection;
  }

  /** Null without any event. */
  block(): Block | null {
    const event = this.#events.find(({ key }) => key === this.#event);
    if (event === undefined) return null;
    const title = { event: event.name, why: this.#pinned === null ? 'most active' : 'pinned' };
    const selection = this.#selections().find(({ id }) => id === this.#selection);
    return {
      height: WHOLE,
      lines: (rows) => {
        if (selection === undefined) return rows <= 0 ? [] : [coloured('its prices are on their way', DIM)];
        return ladderLines(selection, title, this.#spanOf(selection, rows - LADDER_HEAD), Math.max(0, rows));
      },
    };
  }

  #selections(): readonly LiveSelection[] {
    return this.#event === null ? [] : selectionsOf(this.#held, this.#event);
  }

  #spanOf(selection: LiveSelection, rows: number): Span | null {
    const { id } = selection;
    const before = this.#shown?.id === id && this.#shown.rows === rows ? this.#shown.span : null;
    const span = spanAfter(before, selection, false, Math.max(0, rows));
    this.#shown = { id, rows, span };
    return span;
  }
}
