import { EMPTY, NEVER, Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { AccountChange } from '../../src/account/changes.ts';
import { VirtualClock } from '../../src/app/adapters/virtual-clock.ts';
import { eventKey, type EventName, isSameEvent } from '../../src/domain/events.ts';
import type { EventId } from '../../src/domain/ids.ts';
import type { SourceBatch } from '../../src/domain/source-price.ts';
import type { StreamEntry, StreamFrame, StreamSignal } from '../../src/domain/stream.ts';
import { clockScheduler } from '../../src/engine/clock-scheduler.ts';
import { decide } from '../../src/engine/core.ts';
import { quotingPipeline, type SideSources, type Stages } from '../../src/engine/pipeline.ts';
import { TurnClock } from '../../src/engine/turn-clock.ts';
import type { Decision, Look } from '../../src/engine/turn.ts';
import { createMarket, keysFrom, type MarketChange, type SourceRules } from '../../src/market/index.ts';
import { orderOptions } from '../../src/orders/options.ts';
import { silentLogger } from '../../src/ports/logger.ts';
import { noMetrics } from '../../src/ports/metrics.ts';
import { stillStrategies } from '../support/strategy-host.ts';
import { defineStrategy, type Strategy, z } from '../../src/strategy/sdk.ts';
import {
  AGAINST,
  EVENT,
  eventEntry,
  FB,
  FILL,
  FOR,
  HOME,
  liveOrder,
  offerEntry,
  quoteEntry,
} from '../market/support.ts';

const NAME: EventName = { sport: FB, eventId: EVENT };
const SILENT = defineStrategy({ name: 'silent', description: '', parameters: z.unknown(), quote: () => [] });
const NO_POSITIONS = {
  position: () => ({ ifWinMicros: 0, ifLoseMicros: 0 }),
  selectionsOn: () => [],
  realisedOn: () => 0,
};
const BUDGETS = { ordersNow: 4, betslipsNow: 8, betslipsToday: 900, generalNow: 70 };

const ODDS: SourceRules = {
  name: 'odds',
  staleAfterMs: 5_000,
  match: { sports: [], competitions: [], marketTypes: [] },
  keyOf: keysFrom('{home} v {away}'),
};

function rig(stages: Partial<Stages> = {}, side: Partial<SideSources> = {}) {
  const clock = new VirtualClock();
  const market = createMarket({ staleAfterMs: 10_000, priceSources: [ODDS] }, clock, silentLogger, noMetrics);
  const signal$ = new Subject<StreamSignal>();
  const account$ = new Subject<AccountChange>();
  const [tick$, wake$] = [new Subject<void>(), new Subject<EventName | null>()];
  const changes: MarketChange[] = [];
  const fatal: unknown[] = [];
  const decided: Decision[] = [];
  const silent: SideSources = {
    quietOffers: () => NEVER,
    listedEvents: () => NEVER,
    registrations: () => EMPTY,
  };
  const strategies = stillStrategies({ strategy: SILENT as Strategy, parameters: {} });
  const all: Stages = {
    market,
    onSignal: () => undefined,
    onAccount: () => undefined,
    look: (at) => ({ ...at, epoch: 1, isSynced: true, events: [NAME], chosen: new Map(), left: [] }),
    housekeeping: () => undefined,
    onChange: (change) => {
      changes.push(change);
      return change.events.some((event) => isSameEvent(event, NAME)) ? [NAME] : [];
    },
    wanted: () => [NAME],
    budgets: () => BUDGETS,
    decide: (event, turn) =>
      decide(
        {
          market,
          strategies,
          ledger: NO_POSITIONS,
          byHand: { wanted: (_, { intents }) => intents, isLeft: () => false },
          hedges: { intentsOn: () => [] },
          wantedHedges: { make: () => [] },
          quoted: new Map([[eventKey(NAME), [HOME]]]),
          risk: {
            admit: (_, quotes) => ({ quotes, blocked: [] }),
            effectiveState: () => ({ state: 'active', record: null }),
          },
        },
        {
          isQuoting: true,
          isDecidable: () => true,
          planBasis: () => ({ held: [], policy: orderOptions({}) }),
        },
        event,
        turn,
      ),
    onFatal: (error) => fatal.push(error),
    ...stages,
  };
  const time = { scheduler: clockScheduler(clock), clock: new TurnClock(clock) };
  const sourcePrices$ = new Subject<SourceBatch>();
  const never = { input$: NEVER, stop$: NEVER };
  const sources = { signal$, account$, sourcePrices$, tick$, wake$, ...never };
  quotingPipeline(sources, { ...silent, ...side }, all, time).decision$.subscribe((decision) =>
    decided.push(decision),
  );
  const frame = (entries: readonly StreamEntry[]): void =>
    signal$.next({
      kind: 'frame',
      epoch: 1,
      sentMs: null,
      receivedMonotonicMs: clock.monotonicMs(),
      entries,
    });
  return { clock, market, frame, account$, sourcePrices$, tick$, wake$, changes, fatal, decided };
}

describe('the pipeline', () => {
  it('joins offers and private quotes of one frame in one change, and shows both in one view', async () => {
    const { clock, frame, changes, decided } = rig();
    frame([eventEntry(), quoteEntry('against,h', AGAINST), offerEntry('for,h', FOR)]);
    expect(changes).toEqual([{ cause: 'frame', epoch: 1, events: [NAME] }]);
    await clock.advance(0);
    expect(decided).toHaveLength(1);
    expect(decided[0]?.view?.selections[0]?.market).toMatchObject({
      for: { source: 'offer', priceList: FOR },
      against: { source: 'quote', priceList: AGAINST },
    });
  });

  it('decides an event once for a burst of frames, by the last of them', async () => {
    const { clock, frame, decided } = rig();
    frame([eventEntry(), offerEntry('for,h', AGAINST)]);
    frame([offerEntry('for,h', FOR)]);
    frame([quoteEntry('against,h', AGAINST)]);
    await clock.advance(0);
    expect(decided.map(({ turn, view }) => [turn.seq, view?.selections[0]?.market.for?.priceList])).toEqual([
      [1, FOR],
    ]);
    expect(decided[0]?.turn.inputs.map(({ kind }) => kind)).toEqual(['signal', 'signal', 'signal']);
  });

  it('decides again when our order or fill changes, which is booked before the market shows it', async () => {
    const steps: string[] = [];
    const step = (what: string) => (): void => void steps.push(what);
    const onChange = ({ cause }: MarketChange): readonly EventName[] => (
      steps.push(`change: ${cause}`),
      [NAME]
    );
    const { clock, frame, account$, decided } = rig({
      onSignal: step('signal'),
      onAccount: ({ kind }) => step(kind)(),
      onChange,
    });
    frame([eventEntry(), offerEntry('for,h', FOR)]);
    await clock.advance(10);
    account$.next({ kind: 'order', order: liveOrder(), before: null });
    account$.next({ kind: 'booked', fill: FILL, state: 'matched', isRecorded: false });
    await clock.advance(10);
    expect(steps).toEqual(['signal', 'change: frame', 'order', 'change: own', 'booked', 'change: own']);
    expect(decided.map(({ turn: { seq, monotonicMs } }) => [seq, monotonicMs])).toEqual([
      [1, 0],
      [2, 10],
    ]);
  });

  it('decides an event again when the price of a source changed for it, once for a burst of prices', async () => {
    const { clock, frame, sourcePrices$, decided } = rig();
    frame([eventEntry(), offerEntry('for,h', FOR)]);
    await clock.advance(10);
    const send = (price: number, key = 'A v B'): void =>
      sourcePrices$.next({ source: 'odds', prices: [{ key, price }] });
    send(2.1);
    send(2.2);
    await clock.advance(10);
    expect(decided).toHaveLength(2);
    const [, { turn, view } = {}] = decided;
    expect(turn?.inputs).toMatchObject([
      { kind: 'source_prices', source: 'odds', prices: [{ key: 'A v B', price: 2.1 }], monotonicMs: 10 },
      { kind: 'source_prices', source: 'odds', prices: [{ key: 'A v B', price: 2.2 }], monotonicMs: 10 },
    ]);
    expect(view?.selections[0]?.sourcePrices).toEqual({ odds: { price: 2.2, ageMs: 0, latencyMs: null } });
    send(2.2);
    send(9, 'C v D');
    await clock.advance(10);
    expect(decided).toHaveLength(2);
  });

  it('treats answers of the exchange like stream messages', async () => {
    const answers$ = new Subject<StreamFrame>();
    const { clock, decided } = rig({}, { quietOffers: () => answers$ });
    const at = { epoch: 1, sentMs: null, receivedMonotonicMs: 0 };
    answers$.next({ kind: 'frame', ...at, entries: [eventEntry(), offerEntry('for,h', FOR)] });
    await clock.advance(0);
    expect(decided[0]?.view?.selections[0]?.market.for?.priceList).toEqual(FOR);
  });

  it('decides at each tick the events that left, then those that are quoted', async () => {
    const left: EventName = { sport: FB, eventId: '2026-11-21,7,8' as EventId };
    const looks: Look[] = [];
    const { clock, tick$, decided } = rig({
      look: (at) => ({ ...at, epoch: 1, isSynced: true, events: [NAME], chosen: new Map(), left: [left] }),
      housekeeping: (look) => void looks.push(look),
    });
    await clock.advance(500);
    tick$.next();
    expect(looks).toMatchObject([{ monotonicMs: 500, wallMs: clock.wallMs() }]);
    await clock.advance(0);
    expect(decided.map(({ event, turn }) => [event, turn.inputs.map(({ kind }) => kind)])).toEqual([
      [left, ['tick']],
      [NAME, ['tick']],
    ]);
  });

  it('skips the rest of a turn that a bug breaks off, reports it, and goes on', async () => {
    const broken = new Error('a bug');
    let breaks = true;
    const { clock, wake$, decided, fatal } = rig({
      decide: () => {
        if (breaks) throw broken;
        return { event: NAME } as Decision;
      },
    });
    wake$.next(null);
    await clock.advance(0);
    expect([decided, fatal]).toEqual([[], [broken]]);
    breaks = false;
    wake$.next(null);
    await clock.advance(0);
    expect(decided).toHaveLength(1);
  });
});
