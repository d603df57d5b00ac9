import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tickOf } from '../../../src/domain/ladder.ts';
import { fromMicros, toMicros } from '../../../src/domain/money.ts';
import type { TakeTerms } from '../../../src/domain/orders.ts';
import type { Direction } from '../../../src/domain/selection.ts';
import { newOrder, type OwnOrder } from '../../../src/research/fast/exchange/own-order.ts';
import { EventTakes } from '../../../src/research/fast/orders/takes.ts';
import type { ScenarioResult } from '../../../src/research/result.ts';
import { TakeUse } from '../../../src/risk/limits/take-use.ts';
import type { EventView } from '../../../src/domain/event-view.ts';
import { defineStrategy, type QuoteIntent, type Strategy, z } from '../../../src/strategy/sdk.ts';
import {
  closed,
  inPlay,
  open,
  type Step,
  suspended,
  TAPE_START_MS,
  type TapeOptions,
} from '../../support/tapes.ts';
import { ask, fillOf, FIXTURE, live, START_MS } from '../../risk/support/harness.ts';
import { BOOK, END, run } from './one-tape.ts';

type Terms = Partial<QuoteIntent> & { readonly price: number; readonly stake: number };

const strategyOf = (quote: (view: EventView) => readonly Terms[]): Strategy =>
  defineStrategy({
    name: 'takes',
    description: '',
    parameters: z.object({}),
    quote: (view) =>
      quote(view).map(({ price, stake, ...over }) => ({
        selectionId: view.selections[0]?.selectionId as QuoteIntent['selectionId'],
        direction: 'for',
        level: 0,
        tick: tickOf(price) as number,
        stakeMicros: toMicros(stake),
        ...over,
      })),
  }) as Strategy;

const shown = ({ fills }: ScenarioResult): string[] =>
  fills.map(({ atMs, stakeMicros, cause }) => `${atMs - TAPE_START_MS}: ${fromMicros(stakeMicros)} ${cause}`);

const TAKE: Terms = { take: 'a', price: 2.3, stake: 100, fairProbability: 0.5, lifetimeS: 30 };

describe('a take in the fast engine', () => {
  it('takes what is offered, then what comes until it lapses, and never rests', async () => {
    const steps: readonly Step[] = [
      ...BOOK,
      [5_000, 'trade for', 2.3, 50],
      [10_000, 'against', 2.34, 15],
      [40_000, 'against', 2.36, 90],
      END,
    ];
    expect(
      shown(
        await run(
          steps,
          strategyOf(() => [TAKE]),
        ),
      ),
    ).toEqual(['0: 80 taken', '10000: 15 taken']);
  });

  it('that is on its way when the recording ends takes nothing', async () => {
    const late = strategyOf(({ nowMs }) => (nowMs - TAPE_START_MS < 10_000 ? [] : [TAKE]));
    const steps: readonly Step[] = [...BOOK, [10_000, 'for', 2.52, 100]];
    expect(shown(await run(steps, late, {}, { requestLatencyMs: 500 }))).toEqual([]);
    expect(shown(await run([...steps, END], late, {}, { requestLatencyMs: 500 }))).toEqual([
      '10500: 80 taken',
    ]);
  });

  it.each<[string, readonly Step[], TapeOptions]>([
    [
      'a suspension',
      [
        [5_000, 'state', suspended],
        [10_000, 'state', open],
      ],
      {},
    ],
    ['a gap of the recording', [[10_000, 'for', 2.5, 90]], { gaps: [[5_000, 10_000]] }],
    [
      'a suspension in a gap',
      [
        [5_000, 'state', suspended],
        [10_000, 'state', open],
      ],
      { gaps: [[4_000, 8_000]] },
    ],
  ])('takes at the end of %s what has come in it, and nothing before', async (_, pause, options) => {
    const steps: readonly Step[] = [
      ...BOOK,
      ...pause,
      [6_000, 'against', 2.34, 5],
      [7_000, 'against', 2.36, 7],
      [20_000, 'against', 2.38, 90],
      END,
    ];
    const ordered = steps.toSorted((a, b) => a[0] - b[0]);
    const result = await run(
      ordered,
      strategyOf(() => [TAKE]),
      {},
      options,
    );
    expect(shown(result)).toEqual(['0: 80 taken', '10000: 7 taken', '10000: 5 taken', '20000: 8 taken']);
  });

  it('has one order for its id, however long it is wanted', async () => {
    const steps: readonly Step[] = [...BOOK, [100_000, 'against', 2.34, 500], END];
    const result = await run(
      steps,
      strategyOf(() => [{ ...TAKE, stake: 80 }]),
    );
    expect([shown(result), result.events[0]?.orders]).toEqual([['0: 80 taken'], 1]);
  });

  it('goes after the last one of its selection has ended', async () => {
    const both = [
      { ...TAKE, stake: 20 },
      { ...TAKE, take: 'b', stake: 20 },
    ];
    expect(
      shown(
        await run(
          [...BOOK, END],
          strategyOf(() => both),
        ),
      ),
    ).toEqual(['0: 20 taken', '0: 20 taken']);
    const waits = [
      { ...TAKE, stake: 90 },
      { ...TAKE, take: 'b', stake: 20 },
    ];
    const later = await run(
      [...BOOK, [50_000, 'against', 2.34, 500], END],
      strategyOf(() => waits),
    );
    // The strategy decides when the first one has lapsed: the second one waits on the exchange for what comes.
    expect(shown(later)).toEqual(['0: 80 taken', '50000: 20 taken']);
  });

  it.each([0, 100, 700, 1_600])(
    'goes after a decision that knows how the last one ended, whatever the feed takes: %d ms',
    async (feedLatencyMs) => {
      // Takes until 20 are held, by ids that the view gives: a take too many hedges twice.
      const hedge = strategyOf(({ selections: [first], nowMs }) => {
        const held = (first?.position.ifLoseMicros ?? 0) / -1e6;
        return held >= 20 ? [] : [{ ...TAKE, take: `${nowMs}`, stake: 20 - held }];
      });
      const changes = Array.from({ length: 20 }, (_, at): Step => [500 * (at + 1), 'for', 2.5, 99 - at]);
      const result = await run([...BOOK, ...changes, END], hedge, {}, { feedLatencyMs });
      expect(shown(result)).toEqual([`${feedLatencyMs}: 20 taken`]);
    },
  );

  it('keeps within the limits on takes', async () => {
    const limits = { take: { eventUsdt: 30 } };
    const many = strategyOf(() => [
      { ...TAKE, stake: 20 },
      { ...TAKE, take: 'b', stake: 20 },
    ]);
    expect(shown(await run([...BOOK, END], many, limits))).toEqual(['0: 20 taken']);
    const blind = strategyOf(() => [{ take: 'a', price: 2.3, stake: 20 }]);
    expect(shown(await run([...BOOK, END], blind))).toEqual([]);
  });
});

describe('what an order asks for in the fast engine', () => {
  const restsAt = (over: Partial<QuoteIntent>): Strategy =>
    strategyOf(() => [{ price: 2.4, stake: 20, ...over }]);

  it('lets a taker below the minimum pass by', async () => {
    const steps: readonly Step[] = [
      ...BOOK,
      [10_000, 'trade for', 2.4, 5],
      [20_000, 'trade for', 2.4, 9],
      END,
    ];
    const dark = restsAt({ mode: 'dark', minTakerWantStakeMicros: toMicros(8) });
    expect(shown(await run(steps, dark))).toEqual(['20000: 9 trade']);
  });

  it.each([
    [false, 2],
    [true, 1],
  ])('keeps an order open in play if it is asked for: %s', async (keepOpenInRunning, orders) => {
    const steps: readonly Step[] = [...BOOK, [20_000, 'state', inPlay], [40_000, 'state', closed]];
    const { events } = await run(steps, restsAt({ keepOpenInRunning }));
    expect(events[0]?.orders).toBe(orders);
  });

  it.each([
    ['quote', undefined, true],
    ['quote', false, true],
    ['quote', true, false],
    ['take', false, true],
  ] as const)(
    'is refused where trading in play is not allowed and a %s is to stay open: %s',
    async (kind, keepOpenInRunning, isPlaced) => {
      const asked = { ...(keepOpenInRunning !== undefined && { keepOpenInRunning }) };
      const strategy = strategyOf(() =>
        kind === 'take' ? [{ ...TAKE, ...asked }] : [{ price: 2.4, stake: 20, ...asked }],
      );
      const { events } = await run([...BOOK, END], strategy, { inPlay: { allowed: false } });
      expect((events[0]?.orders ?? 0) > 0).toBe(isPlaced);
    },
  );
});

/** A take in its life: sent, then matched in parts at its price or better, then over, or still open. */
const life = fc.record({
  terms: fc.constantFrom<Partial<TakeTerms>>({}, { reduces: true }, { hedge: 'h' }),
  direction: fc.constantFrom<Direction>('for', 'against'),
  price: fc.constantFrom(1.5, 2, 3.5),
  stake: fc.integer({ min: 4, max: 40 }),
  ago: fc.integer({ min: 0, max: 100 }),
  parts: fc.array(fc.constantFrom(1, 2), { maxLength: 2 }),
  betterPrice: fc.constantFrom(null, 1.6),
  isOver: fc.boolean(),
});

it('the fast engine bounds the losses of takes as the daemon does', () => {
  fc.assert(
    fc.property(fc.array(life, { minLength: 1, maxLength: 5 }), (lives) => {
      const [fast, daemon, nowMs] = [new EventTakes(), new TakeUse(30_000), START_MS];
      for (const [
        at,
        { terms, direction, price, stake, ago, parts, betterPrice, isOver },
      ] of lives.entries()) {
        const atMs = nowMs - ago * 60_000;
        const asked = ask({ betType: `${direction},h`, price, stake });
        const intent = {
          selectionId: 's' as QuoteIntent['selectionId'],
          direction,
          tick: tickOf(price) as number,
          stakeMicros: toMicros(stake),
          level: 0,
          take: `take ${at}`,
          ...(terms.hedge !== undefined && { hedge: terms.hedge }),
        };
        const take = fast.send(intent, () => terms.reduces === true);
        if (take === undefined) throw new Error('no take');
        const placed = { ...asked, take };
        const key = `${at}` as never;
        const order = newOrder(
          { ...intent, id: at, selection: at, key, mode: 'take_only', take },
          { sentMs: atMs, answeredMs: atMs, expiryMs: Infinity },
        );
        fast.sent(order, atMs);
        daemon.onApproved(placed, atMs);
        daemon.onOrder(live(placed), atMs);
        for (const part of parts) {
          const paid = betterPrice ?? price;
          order.knownFilledMicros += toMicros(part);
          fast.onFill(order, paid, toMicros(part));
          daemon.onFill(fillOf(placed, part, { atMs, price: paid }));
          daemon.onOrder(live(placed, { filledMicros: order.knownFilledMicros }), atMs);
        }
        if (!isOver) continue;
        fast.onClosed(order);
        daemon.onOrder(live(placed, { filledMicros: order.knownFilledMicros, state: 'closed' }), atMs);
      }
      expect(fast.takenMicros(nowMs)).toEqual(daemon.of(FIXTURE, nowMs, ask().requestUuid));
    }),
  );
});

const SENT = {
  selectionId: 's' as QuoteIntent['selectionId'],
  direction: 'for' as const,
  tick: 100,
  stakeMicros: toMicros(5),
  level: 0,
  key: 'key' as never,
};

it('a take in the fast engine waits for the last one on its selection to end and to be decided, and its id is spent', () => {
  const act = fc.record({
    kind: fc.constantFrom('send', 'end', 'a quote ends', 'decide'),
    id: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
    selection: fc.constantFrom(0, 1),
    isOffer: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(act, { maxLength: 40, size: 'max' }), (acts) => {
      const takes = new EventTakes();
      const spent = new Set<string>();
      const busy = new Map<number, OwnOrder>();
      const ended = new Set<number>();
      for (const [at, { kind, id, selection, isOffer }] of acts.entries()) {
        const order = busy.get(selection);
        if (kind === 'end' && order !== undefined) {
          takes.onClosed(order);
          ended.add(selection);
        }
        if (kind === 'a quote ends')
          takes.onClosed(
            newOrder(
              { ...SENT, id: at, selection, mode: 'make_and_take' },
              { sentMs: 0, answeredMs: 0, expiryMs: Infinity },
            ),
          );
        if (kind === 'decide') {
          takes.decided();
          for (const each of ended) busy.delete(each);
          ended.clear();
        }
        if (kind !== 'send') continue;
        const isBlocked = spent.has(id) || busy.has(selection);
        expect(takes.blocks({ take: id }, selection)).toBe(isBlocked);
        expect(takes.blocks({}, selection)).toBe(false);
        if (isBlocked) continue;
        const intent = { ...SENT, take: id, ...(isOffer && { hedge: 'h' }) };
        const take = takes.send(intent, () => false);
        const sent = newOrder(
          { ...SENT, id: at, selection, mode: isOffer ? 'make_and_take' : 'take_only', take },
          { sentMs: 0, answeredMs: 0, expiryMs: Infinity },
        );
        takes.sent(sent, 0);
        spent.add(id);
        // An offer of a hedge rests, and holds up no take.
        if (!isOffer) busy.set(selection, sent);
      }
    }),
  );
});
