/**
 * The join into selection state, without decoding: the cost of a frame of 200 offers beside a bare JSON.parse of it, the
 * time from frame to intents, and the memory of 10,000 selections. `node --expose-gc bench/market.bench.ts`.
 */
import { NEVER, Subject } from 'rxjs';
import { systemClock } from '../src/app/adapters/system-clock.ts';
import type { SportEvent } from '../src/domain/events.ts';
import type { EventId, SelectionId } from '../src/domain/ids.ts';
import type { Offer, StreamEntry, StreamSignal } from '../src/domain/stream.ts';
import { createMarket, type Market, type MarketChange } from '../src/market/index.ts';
import { silentLogger } from '../src/ports/logger.ts';
import { noMetrics } from '../src/ports/metrics.ts';
import { hostedBy } from '../test/support/strategy-host.ts';
import { parseParameters } from '../src/strategy/loader.ts';
import type { Strategy } from '../src/strategy/sdk.ts';
import consensus from '../strategies/consensus.ts';
import guardedLadder from '../strategies/guarded-ladder.ts';
import inventory from '../strategies/inventory.ts';
import scoreGrid from '../strategies/score-grid.ts';
import symmetric from '../strategies/symmetric.ts';
import { figure, percentile } from './figures.ts';
import { benchRandom, countOf, eventIdOf, frameText, nextBroadcast, offersOf } from './frames.ts';

const OFFERS = 200;
const FRAMES = 500;
const ROUNDS = 7;
const WARM_UP = 200;
const QUOTED = 20;
const BOOK = { ifWinMicros: 30_000_000, ifLoseMicros: -20_000_000 };
const ACCOUNT = { position: () => BOOK, held: [], realisedMicros: 0, budgets: null };
const STRATEGIES = [symmetric, inventory, guardedLadder, scoreGrid, consensus] as readonly Strategy[];
/** Parameters with which all of the work is done, whatever the prices are. */
const parametersOf: Readonly<Record<string, object>> = {
  'score-grid': { maxWidth: 50 },
  consensus: { liquidWidth: 50, thinWidth: 0, maxMisfit: 10 },
};

const now = () => ({ monotonicMs: systemClock.monotonicMs(), wallMs: systemClock.wallMs() });

interface Rig {
  readonly market: Market;
  send(entries: readonly StreamEntry[]): void;
  onChange: (change: MarketChange) => void;
}

function rig(): Rig {
  const options = { staleAfterMs: 3_600_000 };
  const market = createMarket(options, systemClock, silentLogger, noMetrics);
  const signals$ = new Subject<StreamSignal>();
  const made: Rig = {
    market,
    send: (entries) =>
      signals$.next({
        kind: 'frame',
        epoch: 1,
        sentMs: null,
        receivedMonotonicMs: systemClock.monotonicMs(),
        entries,
      }),
    onChange: () => undefined,
  };
  const none = { account$: NEVER, sourcePrices$: NEVER };
  market.changes$({ signals$, ...none }).subscribe((change) => made.onChange(change));
  return made;
}

const describeEvent = (eventId: EventId, { sport }: Offer): SportEvent => ({
  sport,
  eventId,
  eventType: 'normal',
  eventName: 'A v B',
  competitionId: 1,
  competitionName: 'League',
  competitionCountry: 'GB',
  home: 'A',
  away: 'B',
  teams: [],
  irStatus: 'pre_event',
  startTimeMs: 2e12,
});

const entriesOf = (offers: readonly Offer[]): StreamEntry[] =>
  offers.map((offer) => ({ tag: 'offer', offer }));

/** Successive broadcasts, each made from the last on demand. */
function* broadcasts(share: number): Generator<Offer[], never> {
  const random = benchRandom(`share ${share}`);
  for (let offers = offersOf(eventIdOf(0), OFFERS, random); ; offers = nextBroadcast(offers, share, random)) {
    yield offers;
  }
}

/**
 * Microseconds of each run, ascending; making the input is not measured. Returns the round with the lowest 99th
 * percentile, because a busy machine only adds time.
 */
function timed<T>(input: () => T, run: (value: T) => void): number[] {
  for (let i = 0; i < WARM_UP; i++) run(input());
  const rounds = Array.from({ length: ROUNDS }, () => {
    const times = Array.from({ length: FRAMES }, () => {
      const value = input();
      const from = performance.now();
      run(value);
      return (performance.now() - from) * 1000;
    });
    return times.sort((a, b) => a - b);
  });
  return rounds.reduce((best, one) => (percentile(one, 0.99) < percentile(best, 0.99) ? one : best));
}

const textOf = (sorted: readonly number[]): string =>
  [0.5, 0.99].map((share) => `p${share * 100} ${percentile(sorted, share).toFixed(1)} µs`).join(', ');

function figuresOf(name: string, sorted: readonly number[]): void {
  figure(`${name}, p50`, percentile(sorted, 0.5), 'µs');
  figure(`${name}, p99`, percentile(sorted, 0.99), 'µs', 'tail');
}

function benchJoin(share: number): void {
  const frames = broadcasts(share);
  const { send } = rig();
  const join = timed(() => entriesOf(frames.next().value), send);
  const parse = timed(
    () => frameText(frames.next().value),
    (text) => void JSON.parse(text),
  );
  const ratio = percentile(join, 0.5) / percentile(parse, 0.5);
  console.log(
    `join, ${share * 100} % of ${OFFERS} offers changed: ${textOf(join)}; ${ratio.toFixed(3)} of JSON.parse`,
  );
  figuresOf(`join, ${share * 100} % changed`, join);
}

/** The win-loss grid of a handicap of quarter goals, in the codes of the exchange's lookup. */
const handicap = (quarters: number): string[][] =>
  Array.from({ length: 20 }, (_, home) =>
    Array.from({ length: 20 }, (__, away) => {
      const margin = 4 * (home - away) + quarters;
      return ['l', 'l/v', 'p', 'v/w', 'w'][Math.max(0, Math.min(4, margin + 2))] as string;
    }),
  );

/** The worst case of a strategy that fits the whole event: markets that contradict each other, and a book. */
function setTheScene(market: Market, chosen: readonly SelectionId[], offers: readonly Offer[]): void {
  for (const id of chosen) {
    const offer = offers.find(({ betType }) => market.resolve(id, 'odds-for')?.betType === betType) as Offer;
    const quarters = Number(offer.betType.split(',').at(-1));
    market.setGrid(offer.sport, offer.betType, handicap(quarters % 12));
  }
}

/** Frame in, decoded, to checked intents out: join, view of 20 selections, strategy, host. */
function benchIntents(strategy: Strategy): void {
  const frames = broadcasts(0.05);
  const { market, send } = rig();
  const host = hostedBy(strategy, parseParameters(strategy, parametersOf[strategy.name] ?? {}));
  const first = frames.next().value;
  const id = eventIdOf(0);
  send([{ tag: 'event', event: describeEvent(id, first[0] as Offer) }, ...entriesOf(first)]);
  const event = { sport: (first[0] as Offer).sport, eventId: id };
  const chosen: SelectionId[] = market
    .candidates(event)
    .slice(0, QUOTED)
    .map(({ selectionId }) => selectionId);
  setTheScene(market, chosen, first);
  if (market.view(event, chosen, ACCOUNT, now()) === null)
    return console.log(
      `${strategy.name}, frame to intents: not measured, the market has no view of the event`,
    );
  let intents = 0;
  const quote = (entries: readonly StreamEntry[]): void => {
    send(entries);
    const view = market.view(event, chosen, ACCOUNT, now());
    if (view !== null) intents = countOf(host.quote(view));
  };
  const times = timed(() => entriesOf(frames.next().value), quote);
  console.log(`${strategy.name}, frame to ${intents} intents on ${QUOTED} selections: ${textOf(times)}`);
  figuresOf(`${strategy.name}, frame to intents`, times);
}

/** Each selection has two directions, so there are twice as many markets. */
const SELECTIONS = 10_000;
const PER_EVENT = 150;

function benchMemory(): void {
  const { gc } = globalThis;
  if (gc === undefined) return console.log('memory: run node with --expose-gc');
  const used = (): number => {
    gc();
    return process.memoryUsage().heapUsed;
  };
  const random = benchRandom('memory');
  const held = rig();
  const events = Math.ceil((2 * SELECTIONS) / PER_EVENT);
  const before = used();
  for (let i = 0; i < events; i++) held.send(entriesOf(offersOf(eventIdOf(i), PER_EVENT, random)));
  const grown = used() - before;
  const markets = events * PER_EVENT;
  console.log(
    `memory of the state alone, ${markets / 2} selections, for and against of 3 levels each, with their offers: ` +
      `${(grown / 1e6).toFixed(1)} MB, ${((2 * grown) / markets).toFixed(0)} B a selection`,
  );
  figure('memory of a selection, state alone', (2 * grown) / markets, 'B');
  held.send([{ tag: 'clear_events' }]);
}

for (const share of [0, 0.05, 0.5, 1]) benchJoin(share);
for (const strategy of STRATEGIES) benchIntents(strategy);
benchMemory();
