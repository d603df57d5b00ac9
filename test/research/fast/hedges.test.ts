import { describe, expect, it } from 'vitest';
import { tickOf } from '../../../src/domain/ladder.ts';
import { fromMicros, toMicros } from '../../../src/domain/money.ts';
import type { Direction } from '../../../src/domain/selection.ts';
import type { ScenarioResult } from '../../../src/research/result.ts';
import {
  defineStrategy,
  type EventView,
  type HedgeIntent,
  type Strategy,
  type Wanted,
  z,
} from '../../../src/strategy/sdk.ts';
import { closed, type Step, TAPE_START_MS } from '../../support/tapes.ts';
import { BOOK, END, run } from './one-tape.ts';

type Selection = EventView['selections'][number];

const wanting = (quote: (view: EventView) => readonly Wanted[]): Strategy =>
  defineStrategy({ name: 'hedging', description: '', parameters: z.object({}), quote }) as Strategy;

const tick = (price: number): number => tickOf(price) as number;

/** Backs a selection with so much at 2.30, by one take. */
const backed = ({ selectionId }: Selection, stake: number): Wanted => ({
  selectionId,
  direction: 'for',
  tick: tick(2.3),
  level: 0,
  take: `open ${selectionId}`,
  fairProbability: 0.5,
  stakeMicros: toMicros(stake),
});

const isHeld = ({ position }: Selection): boolean => position.ifLoseMicros !== 0;

const flat = (hedge: string, { selectionId }: Selection, over: Partial<HedgeIntent> = {}): Wanted => ({
  hedge,
  goal: { kind: 'flatten', selectionId },
  ...over,
});

/** Each fill: when, on which selection, which side, and how much. */
const shown = ({ fills }: ScenarioResult): string[] =>
  fills.map(
    ({ atMs, selectionId, direction, stakeMicros }) =>
      `${atMs - TAPE_START_MS}: ${selectionId.split('|').at(-1)} ${direction} ${fromMicros(stakeMicros)}`,
  );

const BOTH = { selections: [{ outcome: 'h' }, { outcome: 'a' }] };
const BOOKS: readonly Step[] = [...BOOK, [0, 'for', 2.5, 100, 1], [0, 'against', 2.3, 80, 1]];

describe('a hedge in the fast engine', () => {
  /** Takes 40 of a side, then wants that flattened, and a quote of the same side at a price all along. */
  const flattening = (direction: Direction, takenAt: number, quotedAt: number): Strategy =>
    wanting(({ selections: [first] }) => {
      const { selectionId, position } = first as Selection;
      const of = { selectionId, direction, level: 0 };
      const quote = { ...of, tick: tick(quotedAt), stakeMicros: toMicros(20) };
      const opening = {
        ...of,
        tick: tick(takenAt),
        take: 'a',
        fairProbability: direction === 'for' ? 0.5 : 0.35,
      };
      return position.ifWinMicros === 0
        ? [quote, { ...opening, stakeMicros: toMicros(40) }]
        : [quote, { hedge: 'flat', goal: { kind: 'flatten', selectionId } }];
    });

  it.each([
    ['for', 2.3, 2.32, 36.8],
    ['for', 2.3, 2.48, 36.8],
    ['for', 2.3, 2.54, 36.8],
    ['against', 2.5, 2.48, 43.47],
    ['against', 2.5, 2.32, 43.47],
    ['against', 2.5, 2.26, 43.47],
  ] as const)(
    'comes before a quote of our own: %s at %d, quoted at %d',
    async (of, takenAt, quotedAt, stake) => {
      const result = await run([...BOOK, END], flattening(of, takenAt, quotedAt));
      expect(result.fills.map(({ stakeMicros, cause }) => [fromMicros(stakeMicros), cause])).toEqual([
        [40, 'taken'],
        [stake, 'taken'],
      ]);
    },
  );

  it('is planned from the bets on its own selection, one after the other without waiting for a change of the market', async () => {
    const strategy = wanting(({ selections }) => {
      const [home, away] = selections as readonly [Selection, Selection];
      const openings = [backed(home, 40), backed(away, 20)];
      return isHeld(home) && isHeld(away) ? [flat('home', home), flat('away', away)] : openings;
    });
    expect(shown(await run([...BOOKS, END], strategy, {}, BOTH))).toEqual([
      '0: h for 40',
      '0: a for 20',
      '0: h against 36.8',
      '0: a against 18.4',
    ]);
  });

  it('that matches nothing is over when its order lapses, and the next one of its event is made', async () => {
    const strategy = wanting(({ selections: [home] }) =>
      isHeld(home as Selection)
        ? [flat('first', home as Selection), flat('second', home as Selection)]
        : [backed(home as Selection, 40)],
    );
    const steps: readonly Step[] = [
      ...BOOK,
      // The request is on its way.
      [800, 'for', 2.5, 0],
      [10_000, 'against', 2.28, 5],
      [60_000, 'for', 2.5, 100],
      END,
    ];
    const fills = shown(await run(steps, strategy, {}, { requestLatencyMs: 500 }));
    // A market without prices shows its next ones half a second late.
    expect(fills).toEqual(['500: h for 40', '61000: h against 36.8']);
  });

  it('that matches nothing makes way at the instant at which its order has lapsed', async () => {
    const strategy = wanting(({ selections: [home] }) =>
      isHeld(home as Selection)
        ? [flat('first', home as Selection), flat('second', home as Selection)]
        : [backed(home as Selection, 40)],
    );
    const steps: readonly Step[] = [
      [0, 'for', 2.6, 100],
      ...BOOK,
      [800, 'for', 2.5, 0],
      [9_300, 'against', 2.28, 5],
      END,
    ];
    const fills = shown(await run(steps, strategy, {}, { requestLatencyMs: 500 }));
    // Its request took half a second, and the order lived for 15.
    expect(fills).toEqual(['500: h for 40', '16500: h against 35.38']);
  });

  it.each([
    [2, [40, 4]],
    [10, [40, 10]],
    [40, [40, 40]],
  ])('has no bet below the least stake of an order: %d', async (least, stakes) => {
    // Four are matched against it at 2.50: it then loses 36 if it does not win.
    const strategy = wanting(({ selections: [home] }) =>
      isHeld(home as Selection)
        ? [{ hedge: 'bound', goal: { kind: 'bound', boundMicros: toMicros(36) } }]
        : [backed(home as Selection, 40)],
    );
    const settings = { minStakeMicros: toMicros(least) };
    const { fills } = await run([...BOOK, END], strategy, {}, {}, settings);
    expect(fills.map(({ stakeMicros }) => fromMicros(stakeMicros))).toEqual(stakes);
  });

  it.each([
    ['ou', ['over,2.5 for 40', 'under,2.5 for 40']],
    ['wdw', ['over,2.5 for 40']],
    [null, ['over,2.5 for 40', 'under,2.5 for 40']],
  ])('equalises the market of its type: %s', async (marketType, bets) => {
    const strategy = wanting(({ selections }) => {
      const over = selections.find(({ outcome }) => outcome === 'over,2.5') as Selection;
      return isHeld(over) ? [{ hedge: 'level', goal: { kind: 'equalise', marketType } }] : [backed(over, 40)];
    });
    const outcomes = ['h', 'd', 'a', 'over,2.5', 'under,2.5'];
    const steps = outcomes.flatMap((_, at): Step[] => [
      [0, 'for', 2.5, 100, at],
      [0, 'against', 2.3, 80, at],
    ]);
    const options = {
      selections: outcomes.map((outcome, at) => ({ outcome, market: at < 3 ? 0 : 1 })),
      markets: [{ marketType: 'wdw' }, { marketType: 'ou' }],
    };
    const fills = shown(await run([...steps, END, [600_000, 'state', closed, 0, 1]], strategy, {}, options));
    expect(fills.map((each) => each.replace(/^\d+: /, ''))).toEqual(bets);
  });

  it('that is wanted again after it was not is not made again', async () => {
    const strategyWith = (wantsAgain: boolean): Strategy =>
      wanting(({ selections: [home], nowMs }) => {
        const ms = nowMs - TAPE_START_MS;
        const isWanted = ms < 10_000 || (wantsAgain && ms > 20_000);
        if (!isHeld(home as Selection)) return [backed(home as Selection, 40)];
        return isWanted ? [flat('offer', home as Selection, { way: 'offer' })] : [];
      });
    const steps: readonly Step[] = [
      ...BOOK,
      [12_000, 'for', 2.52, 10],
      [22_000, 'for', 2.52, 20],
      [100_000, 'trade against', 2.3, 500],
      END,
    ];
    for (const wantsAgain of [false, true])
      expect(shown(await run(steps, strategyWith(wantsAgain)))).toEqual(['0: h for 40']);
  });

  it('that is offered may be matched until its end is known, and the next one waits for that', async () => {
    const strategy = wanting(({ selections: [home] }) =>
      isHeld(home as Selection)
        ? [flat('first', home as Selection, { way: 'offer' }), flat('second', home as Selection)]
        : [backed(home as Selection, 40)],
    );
    // The offer is wanted for ten minutes from the fill on. Its cancellation takes half a second.
    const steps = (tradeMs: number): readonly Step[] => [
      ...BOOK,
      [600_700, 'for', 2.52, 10],
      [tradeMs, 'trade against', 2.3, 500],
      [610_000, 'for', 2.52, 20],
      [700_000, 'state', closed],
    ];
    const fills = async (tradeMs: number): Promise<string[]> =>
      shown(await run(steps(tradeMs), strategy, {}, { requestLatencyMs: 500 }));
    expect(await fills(600_900)).toEqual(['500: h for 40', '600900: h against 40']);
    const late = await fills(605_000);
    expect(late.slice(0, 1)).toEqual(['500: h for 40']);
    expect(late.slice(1).map((each) => each.replace(/^\d+/, 'later'))).toEqual(['later: h against 36.8']);
  });

  it('that is offered rests, and is closed once it is wanted no more', async () => {
    const strategyUntil = (untilMs: number): Strategy =>
      wanting(({ selections: [home], nowMs }) => {
        if (!isHeld(home as Selection)) return [backed(home as Selection, 40)];
        return nowMs - TAPE_START_MS < untilMs ? [flat('offer', home as Selection, { way: 'offer' })] : [];
      });
    const steps: readonly Step[] = [
      ...BOOK,
      [20_000, 'for', 2.52, 10],
      [100_000, 'trade against', 2.3, 500],
      END,
    ];
    expect(shown(await run(steps, strategyUntil(1e9)))).toEqual(['0: h for 40', '100000: h against 40']);
    expect(shown(await run(steps, strategyUntil(10_000)))).toEqual(['0: h for 40']);
  });
});
