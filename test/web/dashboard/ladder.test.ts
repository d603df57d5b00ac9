import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LADDER, tickOf } from '../../../src/domain/ladder.ts';
import { profitOf } from '../../../src/domain/odds.ts';
import { LOSS, WIN } from '../../../src/domain/payoff.ts';
import { liveEvent } from '../../support/live-event.ts';
import { componentsIn, pressedPage, type Shown } from '../../support/pressed-page.ts';

const { Rows } = await componentsIn('workspace/ladder/ladder-rows.tsx');
const { Ladder } = await componentsIn('workspace/ladder/ladder.tsx');

const KEY = 'fb|2026-01-01,1,2';
const EVENT = liveEvent(KEY);
const VIEW = { pieces: new Map<string, unknown>() };
const SELECTION = {
  id: `${KEY}|h`,
  name: 'A',
  ifWin: 0,
  ifLose: 0,
  fair: 0.5,
  market: { for: [[2, 10]], against: [[2.04, 20]] },
  quotes: [],
  restriction: null,
  byHand: [],
  missing: null,
};
const tick = (price: number): number => tickOf(price) ?? NaN;

interface RowProps {
  readonly rung: { readonly price: number; readonly toBack: unknown; readonly toLay: unknown };
  readonly pays: number | null;
}

function rowsOf(over: object, commissionRate = 0, span = { low: tick(1.98), high: tick(2.06) }) {
  const given = { selection: { ...SELECTION, ...over }, view: VIEW, atMs: 0, commissionRate, span };
  const shown = pressedPage(Rows, { ...given, onAsk: () => undefined, hand: null });
  return { shown, rows: shown.named('Row') };
}

const propsOf = ({ props }: Shown): RowProps => props as object as RowProps;

describe('the ladder of a selection', () => {
  it('has every tick of its span, the highest first, with what takers can back at and lay at', () => {
    const { rows } = rowsOf({});
    const expected = LADDER.slice(tick(1.98), tick(2.06) + 1).toReversed();
    expect(rows.map((row) => propsOf(row).rung.price)).toEqual(expected);
    const stakes = rows.flatMap((row) => {
      const { price, toBack, toLay } = propsOf(row).rung;
      const [back, lay] = [toBack as readonly unknown[], toLay as readonly unknown[]];
      return back.length + lay.length === 0 ? [] : [[price, back, lay]];
    });
    expect(stakes).toEqual([
      [2.04, [], [[2.04, 20]]],
      [2, [[2, 10]], []],
    ]);
  });

  it('tells at every tick what the bets pay if they are closed there: the same in both outcomes, less commission on a gain', () => {
    const bet = fc.record({
      direction: fc.constantFrom('for' as const, 'against' as const),
      price: fc.constantFrom(1.5, 2, 3, 8),
      stake: fc.integer({ min: 1, max: 500 }),
    });
    fc.assert(
      fc.property(
        fc.array(bet, { minLength: 1, maxLength: 3 }),
        fc.constantFrom(0, 0.02, 0.1),
        (bets, rate) => {
          const kindOf = (direction: 'for' | 'against') => (direction === 'for' ? 'odds-for' : 'lay-for');
          const [ifWin = 0, ifLose = 0] = [WIN, LOSS].map((settlement) =>
            bets.reduce(
              (sum, { direction, price, stake }) =>
                sum + profitOf(kindOf(direction), stake, price, settlement),
              0,
            ),
          );
          const { rows } = rowsOf({ ifWin, ifLose }, rate);
          for (const row of rows) {
            const { rung, pays } = propsOf(row);
            if (Math.max(Math.abs(ifWin), Math.abs(ifLose)) < 0.005) {
              expect(pays).toBeNull();
              continue;
            }
            // Closed by one bet on the other side, of as many contracts.
            const kind = kindOf(ifWin > ifLose ? 'against' : 'for');
            const stake = Math.abs(ifWin - ifLose) / rung.price;
            const [won = NaN, lost = NaN] = [WIN, LOSS].map(
              (settlement) =>
                profitOf(kind, stake, rung.price, settlement) + (settlement === WIN ? ifWin : ifLose),
            );
            expect(won).toBeCloseTo(lost, 6);
            expect(pays).toBeCloseTo(won > 0 ? won * (1 - rate) : won, 6);
          }
        },
      ),
      { numRuns: 100 },
    );
  });

  it.each([
    [200, -100, 2, 'closed good', '+50.00', '+50.00'],
    [-100, 200, 2, 'closed good', '+50.00', '+50.00'],
    [0, -200, 2, 'closed bad', '−100', '−100.00'],
    [0, -199.8, 2, 'closed bad', '−99.90', '−99.90'],
    [3_000, -500, 2, 'closed good', '1.3k', '+1\u2009250'],
    [100, -100, 2, 'closed good', '0.00', '0.00'],
  ])('shows %d and %d, closed at %d, as %s %s', (ifWin, ifLose, price, look, text, title) => {
    const { shown, rows } = rowsOf({ ifWin, ifLose }, 0, { low: tick(price), high: tick(price) });
    expect(shown.text()).toContain('closed');
    const [row] = rows as [Shown];
    const cells = pressedPage(row.type, row.props)
      .nodes()
      .filter(({ type, props }) => type === 'td' && String(props['class']).startsWith('closed'));
    expect(cells.map(({ props }) => [props['class'], props['children'], props['title']])).toEqual([
      [look, text, title],
    ]);
  });

  it('has no column of that without bets', () => {
    const { shown, rows } = rowsOf({});
    expect(shown.text()).not.toContain('closed');
    for (const row of rows) {
      const cells = pressedPage(row.type, row.props).nodes();
      expect(cells.filter(({ props }) => String(props['class']).startsWith('closed'))).toEqual([]);
    }
  });
});

describe('the head of a ladder', () => {
  const head = (selection: object, event: object | null = EVENT) => {
    const shown = pressedPage(Ladder, {
      selection: { ...SELECTION, ...selection },
      event,
      view: VIEW,
      atMs: 0,
      session: { token: 't', scope: 'control' },
      commissionRate: 0,
      rows: 10,
    });
    const open = (name: string) => {
      const [part] = shown.named(name) as [Shown];
      return pressedPage(part.type, part.props);
    };
    return { head: open('Head'), second: open('SecondLine') };
  };

  it('flattens the selection that it is of, where something is held and its event is there', () => {
    const goals = (selection: object, event?: object | null) =>
      head(selection, event)
        .head.named('Hedge')
        .map(({ props }) => [(props['event'] as { key: string }).key, props['goal'], props['label']]);
    expect(goals({ ifWin: 20, ifLose: -10 })).toEqual([[KEY, { flatten: `${KEY}|h` }, 'flatten A']]);
    expect(goals({ id: `${KEY}|d`, name: 'Draw', ifWin: 0, ifLose: -10 })).toEqual([
      [KEY, { flatten: `${KEY}|d` }, 'flatten Draw'],
    ]);
    expect(goals({})).toEqual([]);
    expect(goals({ ifWin: 20, ifLose: -10 }, null)).toEqual([]);
  });

  it.each([
    [0.5, 'fair 2'],
    [0.4, 'fair 2.5'],
    [null, 'no fair value'],
    [1, 'won by the score'],
    [0, 'lost by the score'],
  ])('tells a fair probability of %s as "%s"', (fair, words) => {
    expect(head({ fair }).second.text()).toMatch(new RegExp(`^${words}`));
  });

  it('says that the event is suspended, and what its bets pay', () => {
    const texts = [true, false, null].map((suspended) =>
      head({ ifWin: 20, ifLose: -10 }, { ...EVENT, suspended }).second.text(),
    );
    expect(texts.map((text) => text.includes('SUSPENDED'))).toEqual([true, false, false]);
    for (const text of texts) expect(text).toContain('+20.00 / −10.00');
  });
});
