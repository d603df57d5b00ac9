import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BetType, EventId, SelectionId, Sport } from '../../../src/domain/ids.ts';
import type { Direction } from '../../../src/domain/selection.ts';
import {
  type Entry,
  type Group,
  ScoreGroup,
  SelectionGroup,
  WinnerGroup,
} from '../../../src/risk/exposure/groups.ts';
import { type Bet, CELL_COUNT, OUTCOME, payoffsOf } from '../../../src/risk/exposure/payoffs.ts';
import { runs } from '../support/share.ts';

/** How a bet counts: for certain, only where it loses because it may be void, or only where it loses because it may not be matched. */
const STANDINGS = ['matched', 'in doubt', 'open'] as const;
const NAMES = ['x', 'y', 'z'] as const;
type Name = (typeof NAMES)[number];
type End = 'win' | 'lose' | 'void';
type FinalState = Readonly<Record<Name, End>>;

interface Stake {
  readonly name: Name;
  readonly direction: Direction;
  readonly price: number;
  readonly stake: number;
  readonly standing: (typeof STANDINGS)[number];
  /** It is taken out again before the group is judged. */
  readonly isGone: boolean;
}

const stakeOf = (names: readonly Name[]): fc.Arbitrary<Stake> =>
  fc.record({
    name: fc.constantFrom(...names),
    direction: fc.constantFrom('for' as const, 'against' as const),
    price: fc.constantFrom(1.25, 1.5, 2, 2.5, 4),
    stake: fc.integer({ min: 1, max: 12 }).map((units) => units * 100),
    standing: fc.constantFrom(...STANDINGS),
    isGone: fc.integer({ min: 0, max: 5 }).map((at) => at === 0),
  });

const states = (ends: readonly End[]): readonly FinalState[] =>
  ends.flatMap((x) => ends.flatMap((y) => ends.map((z) => ({ x, y, z }))));

const ALL = states(['win', 'lose', 'void']);
const winners = ({ x, y, z }: FinalState): number => [x, y, z].filter((end) => end === 'win').length;

/** Which final scores each selection wins: those of a third, of two thirds, or of a half. */
const WINS: Readonly<Record<Name, (cell: number) => boolean>> = {
  x: (cell) => cell % 3 === 0,
  y: (cell) => cell % 3 !== 1,
  z: (cell) => cell % 2 === 0,
};
const SCORES: readonly FinalState[] = Array.from({ length: 6 }, (_, cell) => {
  const endOf = (name: Name): End => (WINS[name](cell) ? 'win' : 'lose');
  return { x: endOf('x'), y: endOf('y'), z: endOf('z') };
});

interface Kind {
  readonly create: () => Group;
  readonly names: readonly Name[];
  readonly isOnGrid: boolean;
  readonly states: readonly FinalState[];
}

const KINDS: Readonly<Record<string, Kind>> = {
  'of one selection': {
    create: () => new SelectionGroup('x' as SelectionId),
    names: ['x'],
    isOnGrid: false,
    states: ALL,
  },
  // Of the runners, one wins or one without bets; any other may be a non-runner.
  'of a winner market': {
    create: () => new WinnerGroup(),
    names: NAMES,
    isOnGrid: false,
    states: ALL.filter((state) => winners(state) < 2),
  },
  'of final scores': { create: () => new ScoreGroup(), names: NAMES, isOnGrid: true, states: SCORES },
};

function entryOf({ name, direction, price, stake, standing }: Stake, isOnGrid: boolean): Entry {
  const bet: Bet = {
    selectionId: `fb|e|${name}` as SelectionId,
    sport: 'fb' as Sport,
    eventId: 'e' as EventId,
    betType: `${direction},${name}` as BetType,
    direction,
    priceKind: direction === 'for' ? 'odds-for' : 'lay-for',
    price,
    stakeMicros: stake,
  };
  const outcomes = Uint8Array.from({ length: CELL_COUNT }, (_, cell) =>
    WINS[name](cell) === (direction === 'for') ? OUTCOME.win : OUTCOME.loss,
  );
  const isMatched = standing === 'matched';
  return {
    bet,
    matched: isMatched,
    held: isMatched || standing === 'in doubt',
    payoffs: payoffsOf(bet),
    outcomes: isOnGrid ? outcomes : null,
  };
}

function paysIn(state: FinalState, { name, direction, price, stake }: Stake): number {
  if (state[name] === 'void') return 0;
  const onSelection = state[name] === 'win' ? stake * (price - 1) : -stake;
  return direction === 'for' ? onSelection : -onSelection;
}

/** The least that `certain` stakes pay with any subset of the `possible` ones, over these final states. */
function leastOf(all: readonly FinalState[], certain: readonly Stake[], possible: readonly Stake[]): number {
  let least = Infinity;
  for (const state of all)
    for (let subset = 0; subset < 1 << possible.length; subset++) {
      const filled = possible.filter((_, at) => (subset & (1 << at)) !== 0);
      least = Math.min(
        least,
        [...certain, ...filled].reduce((sum, stake) => sum + paysIn(state, stake), 0),
      );
    }
  return 0 + least;
}

const of = (stakes: readonly Stake[], ...standings: readonly Stake['standing'][]): readonly Stake[] =>
  stakes.filter(({ standing, isGone }) => !isGone && standings.includes(standing));

describe.each(Object.entries(KINDS))('a group %s', (_, { create, names, isOnGrid, states: all }) => {
  const void_: FinalState = { x: 'void', y: 'void', z: 'void' };
  const stakes = fc.array(stakeOf(names), { maxLength: 7 });
  const filled = (given: readonly Stake[]): Group => {
    const group = create();
    const entries = given.map((stake) => ({ stake, entry: entryOf(stake, isOnGrid) }));
    for (const { entry } of entries) group.add(entry);
    // A group is judged before as well: what it remembers must not outlive a change.
    group.worst();
    group.least();
    for (const { stake, entry } of entries) if (stake.isGone) group.remove(entry);
    return group;
  };

  it('has the worst case of every subset of what may fill or stand, over every final state', () => {
    fc.assert(
      fc.property(stakes, (given) => {
        const [certain, possible] = [of(given, 'matched'), of(given, 'in doubt', 'open')];
        expect(0 + filled(given).worst()).toBe(leastOf([...all, void_], certain, possible));
      }),
      runs(500),
    );
  });

  it('has the least of what is held without open orders, a bet in doubt only where it loses', () => {
    fc.assert(
      fc.property(stakes, (given) => {
        const least = leastOf(all, of(given, 'matched'), of(given, 'in doubt'));
        expect(0 + filled(given).least()).toBe(least);
      }),
      runs(500),
    );
  });

  it('previews a further order beside all that may fill, and lets it reduce only what is matched for certain', () => {
    const seen = { yes: 0, no: 0 };
    fc.assert(
      fc.property(stakes, stakeOf(names), (given, further) => {
        const [certain, possible] = [of(given, 'matched'), of(given, 'in doubt', 'open')];
        const every = [...all, void_];
        const before = [leastOf(every, certain, []), leastOf(every, certain, possible)] as const;
        const more = [...certain, further];
        const after = [leastOf(every, more, []), leastOf(every, more, possible)] as const;
        const reduces = after[0] > before[0] && after[1] >= before[1];
        seen[reduces ? 'yes' : 'no']++;
        const preview = filled(given).preview(entryOf(further, isOnGrid));
        const matchedIfOpen = leastOf(every, certain, [further]);
        const ifOpen = leastOf(every, certain, [...possible, further]);
        const worsensNothingMatched = matchedIfOpen >= before[0];
        const worsensNothing = worsensNothingMatched && ifOpen >= before[1];
        expect({ ...preview, ifOpen: 0 + preview.ifOpen }).toEqual({
          ifOpen,
          reduces,
          worsensNothing,
          worsensNothingMatched,
        });
        if (reduces) expect(worsensNothing).toBe(true);
      }),
      runs(1_000),
    );
    expect(Math.min(seen.yes, seen.no)).toBeGreaterThan(10);
  });
});

it('a group of final scores forgets what it knew when other scores can still be', () => {
  const group = new ScoreGroup();
  const reachable = (cell: number): Uint8Array =>
    Uint8Array.from({ length: CELL_COUNT }, (_, at) => (at === cell ? 1 : 0));
  group.add(
    entryOf({ name: 'x', direction: 'for', price: 2, stake: 100, standing: 'matched', isGone: false }, true),
  );
  const read = (): readonly number[] => [group.worst(), group.least()];
  const [wins, loses] = [true, false].map(
    (isWin) => Array.from({ length: CELL_COUNT }, (_, at) => at).find((at) => WINS['x'](at) === isWin) ?? -1,
  );
  expect(read()).toEqual([-100, -100]);
  group.setReachable(reachable(wins as number));
  expect(read()).toEqual([0, 100]);
  group.setReachable(reachable(loses as number));
  expect(read()).toEqual([-100, -100]);
  group.setReachable(null);
  expect(read()).toEqual([-100, -100]);
});
