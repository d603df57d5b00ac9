import type { SourcePriceView } from '../../../domain/event-view.ts';
import type { SportEvent } from '../../../domain/events.ts';
import { SourcePrices, type SourceRules } from '../../../market/index.ts';
import type { EventTape } from '../../tape.ts';

const NONE: Readonly<Record<string, SourcePriceView>> = Object.freeze({});

/** The prices of price sources that a tape recorded, read as the daemon reads them. */
export class TapedSources {
  readonly #tape: EventTape;
  readonly #prices: SourcePrices;
  readonly #event: SportEvent;
  readonly #selections: readonly {
    readonly id: EventTape['selections'][number]['selectionId'];
    readonly marketType: string;
    readonly outcome: string;
  }[];
  #next = 0;
  #notedMs = -Infinity;

  constructor(tape: EventTape, rules: readonly SourceRules[]) {
    this.#tape = tape;
    this.#prices = new SourcePrices(rules);
    this.#event = sportEvent(tape);
    this.#selections = tape.selections.map(({ selectionId: id, market, outcome }) => ({
      id,
      outcome,
      marketType: tape.markets[market]?.marketType ?? '',
    }));
  }

  /** The prices of a selection that had arrived by an instant, wall-clock milliseconds. Instants ascend from call to call. */
  of(selection: number, nowMs: number): Readonly<Record<string, SourcePriceView>> {
    const id = this.#selections[selection]?.id;
    if (id === undefined) return NONE;
    if (nowMs !== this.#notedMs) this.#moveTo(nowMs);
    return this.#prices.view(id, nowMs);
  }

  #moveTo(nowMs: number): void {
    const { sourcePrices = [] } = this.#tape;
    this.#notedMs = nowMs;
    for (let next = sourcePrices[this.#next]; next !== undefined; next = sourcePrices[++this.#next]) {
      const { arrivedMs, source, ...price } = next;
      if (arrivedMs > nowMs) break;
      this.#prices.take({ source, prices: [price] }, { monotonicMs: arrivedMs, wallMs: arrivedMs });
    }
    this.#prices.note(this.#selections, this.#event, nowMs);
  }
}

/** Null if the tape has no prices, or nobody says how to read them. */
export const tapedSources = (tape: EventTape, rules: readonly SourceRules[]): TapedSources | null =>
  rules.length === 0 || (tape.sourcePrices ?? []).length === 0 ? null : new TapedSources(tape, rules);

/** The event as the templates of keys name its fields. */
const sportEvent = ({ event, eventName, home, away, ...tape }: EventTape): SportEvent => ({
  ...event,
  eventType: home === null ? 'multirunner' : 'normal',
  eventName,
  home: home ?? '',
  away: away ?? '',
  teams: [],
  competitionId: tape.competitionId,
  competitionName: tape.competitionName,
  competitionCountry: '',
  irStatus: '',
  startTimeMs: tape.startMs,
});
