/**
 * The worth of differing decisions to the end of a recording. Both ways to quote are played as fixed sequences against the recorded
 * market, in each fill scenario; a fill is worth what its bet settled for, or else what it is worth at the last fair value.
 *
 * Nothing feeds back: a fill that only the other quotes would have got changes no later decision here.
 */
import { FILL_MODELS } from '../../fills/scenarios.ts';
import { eventKey, type EventName } from '../../domain/events.ts';
import type { EventKey } from '../../domain/ids.ts';
import type { Micros } from '../../domain/money.ts';
import { priceOf } from '../../domain/ladder.ts';
import type { IntentKey } from '../../domain/quote-intent.ts';
import { fairSeries } from '../../fair/series.ts';
import { probabilityAt, worthMicros } from '../../fair/worth.ts';
import { fillsOfQuotes, type FixedQuote } from '../fast/fixed-quotes.ts';
import { settledProfit } from '../records/event-records.ts';
import { priceAfterRemovals } from '../removals.ts';
import { type Scenario, SCENARIOS } from '../../fills/fill-model.ts';
import type { EventTape } from '../tape.ts';
import type { QuoteLine } from './quote-lines.ts';

/** The two ways to decide a session, over its whole time. */
export interface BothWays {
  readonly recorded: readonly QuoteLine[];
  readonly now: readonly QuoteLine[];
}

/** A change of one quote: from then on the two ways differ in it, or differ otherwise. */
export interface QuoteChange {
  readonly event: EventName;
  readonly key: IntentKey;
  readonly atMs: number;
}

export type Worth = Readonly<Record<Scenario, Micros>>;

export interface WorthOfReplay {
  /** Of each change in turn: until the next change of the same quote, or to the end. Null where the market was not recorded. */
  readonly changes: readonly (Worth | null)[];
  /** Of all fills, what the recorded quotes would have got and what the others would have got. */
  readonly recorded: Worth;
  readonly now: Worth;
  /** Quotes on selections that no recorded offer named. */
  readonly unseen: number;
}

interface WorthOfFill {
  readonly place: string;
  readonly atMs: number;
  readonly micros: Micros;
}

/** Values both ways and every change. `changes` are in the order of time. */
export function worthOf(
  tapes: readonly EventTape[],
  ways: BothWays,
  changes: readonly QuoteChange[],
): WorthOfReplay {
  const markets = new Map(tapes.map((tape) => [eventKey(tape.event), new ValuedMarket(tape)]));
  const worth: Record<Scenario, Micros>[] = changes.map(() => nothing());
  const [recorded, now] = [nothing(), nothing()];
  const sides = [
    { lines: ways.recorded, total: recorded, sign: -1 },
    { lines: ways.now, total: now, sign: 1 },
  ];
  for (const scenario of SCENARIOS)
    for (const { lines, total, sign } of sides)
      for (const fill of fillsOn(markets, lines, scenario)) {
        total[scenario] += fill.micros;
        addTo(worth[lastChangeBefore(changes, fill)], scenario, sign * fill.micros);
      }
  return {
    changes: worth.map((each, at) =>
      markets.has(eventKey((changes[at] as QuoteChange).event)) ? each : null,
    ),
    recorded,
    now,
    unseen: ways.now.filter((line) => !isSeen(markets, line)).length,
  };
}

function addTo(worth: Record<Scenario, Micros> | undefined, scenario: Scenario, micros: Micros): void {
  if (worth !== undefined) worth[scenario] += micros;
}

const nothing = (): Record<Scenario, Micros> => ({ touch: 0, queue: 0, through: 0 });

const placeOf = (event: EventName, key: IntentKey): string => `${eventKey(event)} ${key}`;

function lastChangeBefore(changes: readonly QuoteChange[], { place, atMs }: WorthOfFill): number {
  return changes.findLastIndex(
    (change) => change.atMs <= atMs && placeOf(change.event, change.key) === place,
  );
}

type Markets = ReadonlyMap<EventKey, ValuedMarket>;

const isSeen = (markets: Markets, line: QuoteLine): boolean =>
  markets.get(eventKey(line.event))?.has(line) ?? false;

function fillsOn(markets: Markets, lines: readonly QuoteLine[], scenario: Scenario): WorthOfFill[] {
  const byEvent = Map.groupBy(lines, ({ event }) => eventKey(event));
  return [...byEvent].flatMap(([event, own]) => markets.get(event)?.fills(own, scenario) ?? []);
}

/** A tape with what each of its selections was worth in the end. */
class ValuedMarket {
  readonly #tape: EventTape;
  readonly #positions: ReadonlyMap<string, number>;

  constructor(tape: EventTape) {
    this.#tape = tape;
    this.#positions = new Map(tape.selections.map(({ selectionId }, at) => [selectionId, at]));
  }

  has({ selectionId }: QuoteLine): boolean {
    return this.#positions.has(selectionId);
  }

  fills(lines: readonly QuoteLine[], scenario: Scenario): WorthOfFill[] {
    const seen = lines.filter((line) => this.has(line));
    const quotes = seen.map((line): FixedQuote => {
      const { selectionId, direction, tick, stakeMicros, fromMs, toMs } = line;
      const selection = this.#positions.get(selectionId) ?? -1;
      return { selection, direction, tick, stakeMicros, placedMs: fromMs, closedMs: toMs };
    });
    return fillsOfQuotes(this.#tape, quotes, FILL_MODELS[scenario]).flatMap(({ fills }, at) => {
      const line = seen[at] as QuoteLine;
      return fills.map(({ atMs, tick, stakeMicros }) => ({
        place: placeOf(line.event, line.key),
        atMs,
        micros: this.#worth(line, { ...(quotes[at] as FixedQuote), tick, stakeMicros, atMs }),
      }));
    });
  }

  /** Without a result at the last fair value, and without any nothing. Removals after the fill reduce its price. */
  #worth({ direction }: QuoteLine, fill: FilledQuote): Micros {
    const { selection, tick, stakeMicros, atMs } = fill;
    const price = priceAfterRemovals(this.#tape, selection, priceOf(tick), [atMs, Infinity]);
    const settlement = this.#tape.selections[selection]?.settlement ?? null;
    if (settlement !== null) return settledProfit(direction, stakeMicros, price, settlement);
    const logOdds = fairSeries(this.#tape).lastAt(selection, Infinity);
    return logOdds === null ? 0 : worthMicros({ direction, price, stakeMicros }, probabilityAt(logOdds));
  }
}

type FilledQuote = Pick<FixedQuote, 'selection' | 'tick' | 'stakeMicros'> & { readonly atMs: number };
