import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseBetType, winLossGrid } from '../../../src/domain/bet-types/index.ts';
import type { Score } from '../../../src/domain/events.ts';
import type { Fill } from '../../../src/domain/live-order.ts';
import { betType, eventId, sport } from '../../../src/domain/ids.ts';
import { SELECTION_KINDS } from '../../../src/domain/odds.ts';
import { type Direction, selectionOf } from '../../../src/domain/selection.ts';
import { EventBets } from '../../../src/risk/exposure/event-bets.ts';
import { type Bet, BetTypeGrids, OUTCOME, payoffsOf } from '../../../src/risk/exposure/payoffs.ts';
import { Plays, reachableFrom } from '../../../src/risk/exposure/reachable.ts';
import { seededRandom } from '../../../src/lib/random.ts';
import { betsOf } from '../../support/account.ts';
import { compareReachable } from '../support/reachable-books.ts';
import { ask, bench, type Bench, codesOf, FIXTURE, fillOf } from '../support/harness.ts';

const EVENT = { sport: sport('fb'), eventId: eventId('2026-11-21,1,2') };
const OUTCOMES = ['h', 'd', 'a', 'over,2.5', 'under,3.5', 'cs,2,1', 'score,both,yes', 'ah,h,-4'];

const GRIDS = new BetTypeGrids(['fb']);
for (const outcome of OUTCOMES) {
  const parsed = parseBetType('fb', `for,${outcome}`);
  if (parsed !== null) GRIDS.set(EVENT.sport, betType(`for,${outcome}`), winLossGrid(parsed));
}

function betOn(outcome: string, direction: Direction, price: number, stake: number): Bet {
  const type = betType(`${direction},${outcome}`);
  const selection = selectionOf(EVENT.sport, EVENT.eventId, type);
  if (selection === null) throw new Error(outcome);
  const priceKind = SELECTION_KINDS[direction];
  const stakeMicros = stake * 1e6;
  return { ...EVENT, betType: type, selectionId: selection.id, direction, priceKind, price, stakeMicros };
}

const KNOWLEDGE = {
  outcomes: (bet: Bet) => GRIDS.outcomes(bet),
  isAwaited: () => false,
  winnerMarket: () => null,
};

const goals = fc.integer({ min: 0, max: 6 });
const score = fc.tuple(goals, goals);
const held = fc.record({
  bet: fc
    .tuple(
      fc.constantFrom(...OUTCOMES),
      fc.constantFrom<Direction>('for', 'against'),
      fc.constantFrom(1.5, 2, 4, 11),
      fc.integer({ min: 1, max: 50 }),
    )
    .map((terms) => betOn(...terms)),
  isMatched: fc.boolean(),
});

/** The least profit over the final scores that can follow any of these, "everything is void" included, without the code under test. */
function bruteWorst(bets: readonly { bet: Bet; isMatched: boolean }[], scores: readonly Score[]): number {
  let worst = 0;
  for (let home = 0; home < 20; home++)
    for (let away = 0; away < 20; away++) {
      if (!scores.some(([h, a]) => home >= h && away >= a)) continue;
      const profit = bets.reduce((sum, { bet, isMatched }) => {
        const pays = payoffsOf(bet)[GRIDS.outcomes(bet)?.[home * 20 + away] ?? OUTCOME.unknown] as number;
        return sum + (isMatched ? pays : Math.min(0, pays));
      }, 0);
      worst = Math.min(worst, profit);
    }
  return worst;
}

const bookOf = (bets: readonly { bet: Bet; isMatched: boolean }[]): EventBets => {
  const book = new EventBets(EVENT, KNOWLEDGE, new Map());
  for (const [at, { bet, isMatched }] of bets.entries()) book.put(String(at), bet, isMatched);
  return book;
};

describe('the worst case in play', () => {
  it('is the least over the final scores that the score leaves, whatever is held', () => {
    const books = fc.array(held, { maxLength: 8, size: 'max' });
    fc.assert(
      fc.property(books, fc.array(score, { minLength: 1, maxLength: 2 }), held, (bets, scores, further) => {
        const book = bookOf(bets);
        book.setReachable(reachableFrom(scores));
        expect(book.worst() + 0).toBe(bruteWorst(bets, scores) + 0);
        const open = { bet: further.bet, isMatched: false };
        expect(book.preview(further.bet).ifOpen + 0).toBe(bruteWorst([...bets, open], scores) + 0);
      }),
      { numRuns: 300 },
    );
  });

  it('is that of brute force from every score', () => {
    const { comparisons, differences } = compareReachable(60, (book) => seededRandom(1, `book ${book}`));
    expect(differences).toEqual([]);
    expect(comparisons).toBe(60 * 49);
  });

  it('is the same whether the score is known before the bets or after them', () => {
    fc.assert(
      fc.property(fc.array(held, { minLength: 1, maxLength: 6 }), score, (bets, now) => {
        const after = bookOf(bets);
        after.setReachable(reachableFrom([now]));
        const before = new EventBets(EVENT, KNOWLEDGE, new Map());
        before.setReachable(reachableFrom([now]));
        for (const [at, { bet, isMatched }] of bets.entries()) before.put(String(at), bet, isMatched);
        expect(before.worst()).toBe(after.worst());
      }),
    );
  });

  it('counts all final scores while a score lies outside the grid, or none is known', () => {
    expect([
      reachableFrom([]),
      reachableFrom([[20, 0]]),
      reachableFrom([[0, 0]])?.every((cell) => cell === 1),
    ]).toEqual([null, null, true]);
  });
});

describe('the scores of an event in play', () => {
  const report = (now: Score | null, inRunning = true) => ({ ...EVENT, inRunning, score: now });
  const at = (plays: Plays, home: number, away: number): number | undefined =>
    plays.reachable(EVENT)?.[home * 20 + away];

  it('leave only what can follow', () => {
    const plays = new Plays(60_000);
    expect([plays.report(report([0, 0], false), 0), plays.reachable(EVENT)]).toEqual([false, null]);
    expect(plays.report(report([2, 1]), 1)).toBe(true);
    expect([at(plays, 0, 0), at(plays, 2, 0), at(plays, 2, 1), at(plays, 5, 3)]).toEqual([0, 0, 1, 1]);
    expect([plays.report(report([2, 1]), 2), plays.report(report(null), 3), at(plays, 0, 0)]).toEqual([
      false,
      false,
      0,
    ]);
    expect(plays.dispute(EVENT)).toBeNull();
  });

  it('are both possible after one that went back, until the other has stood for a while', () => {
    const plays = new Plays(60_000);
    plays.report(report([1, 0]), 100_000);
    plays.report(report([2, 0]), 200_000);
    plays.report(report([1, 0]), 250_000);
    expect(plays.dispute(EVENT)).toMatchObject({
      sinceMs: 190_000,
      scores: [
        [2, 0],
        [1, 0],
      ],
    });
    expect(at(plays, 1, 0)).toBe(1);
    plays.report(report([1, 1]), 300_000);
    expect(plays.settle(359_999)).toEqual([]);
    expect([at(plays, 1, 0), at(plays, 1, 1)]).toEqual([1, 1]);
    expect(plays.settle(360_000)).toHaveLength(1);
    expect([at(plays, 1, 0), at(plays, 1, 1), plays.dispute(EVENT)]).toEqual([0, 1, null]);
  });

  type Told = readonly [atS: number, score: Score];
  it.each<
    readonly [what: string, told: readonly Told[], sinceS: number, scores: readonly Score[], untilS: number]
  >([
    [
      'that goes back from the last one',
      [
        [0, [0, 0]],
        [100, [1, 0]],
        [150, [0, 0]],
      ],
      90,
      [
        [1, 0],
        [0, 0],
      ],
      210,
    ],
    [
      'that goes back twice, from the first time on',
      [
        [0, [0, 0]],
        [100, [1, 0]],
        [150, [0, 0]],
        [160, [1, 0]],
        [170, [0, 0]],
      ],
      90,
      [
        [1, 0],
        [0, 0],
        [1, 0],
        [0, 0],
      ],
      230,
    ],
    [
      'after which another goal falls',
      [
        [0, [0, 0]],
        [100, [1, 0]],
        [150, [0, 0]],
        [200, [0, 1]],
      ],
      90,
      [
        [1, 0],
        [0, 0],
        [0, 1],
      ],
      260,
    ],
    [
      'of the other team',
      [
        [0, [1, 0]],
        [100, [1, 1]],
        [110, [1, 0]],
      ],
      90,
      [
        [1, 1],
        [1, 0],
      ],
      170,
    ],
    [
      'that goes back by more than the last goal',
      [
        [0, [0, 0]],
        [100, [1, 0]],
        [150, [2, 0]],
        [160, [0, 0]],
      ],
      -Infinity,
      [
        [2, 0],
        [0, 0],
      ],
      220,
    ],
    [
      'that gives a goal to the other team',
      [
        [0, [0, 0]],
        [100, [1, 0]],
        [150, [0, 1]],
      ],
      -Infinity,
      [
        [1, 0],
        [0, 1],
      ],
      210,
    ],
  ])('leave a doubt about one %s', (_, told, sinceS, scores, untilS) => {
    const plays = new Plays(60_000);
    for (const [atS, now] of told) plays.report(report(now), atS * 1_000);
    expect(plays.dispute(EVENT)).toMatchObject({ sinceMs: sinceS * 1_000, scores });
    const fillAt = (atMs: number) => plays.isDisputed({ ...EVENT, atMs } as Fill);
    if (sinceS > 0) expect([fillAt(sinceS * 1_000 - 1), fillAt(sinceS * 1_000)]).toEqual([false, true]);
    else expect(fillAt(0)).toBe(true);
    expect(plays.settle(untilS * 1_000 - 1)).toEqual([]);
    expect(plays.settle(untilS * 1_000)).toHaveLength(1);
    expect([plays.dispute(EVENT), fillAt(untilS * 1_000)]).toEqual([null, false]);
    // A later goal that is annulled is a doubt of its own.
    const [home, away] = told.at(-1)?.[1] ?? [0, 0];
    plays.report(report([home + 1, away]), 1_000_000);
    plays.report(report([home, away]), 1_020_000);
    expect(plays.dispute(EVENT)).toMatchObject({
      sinceMs: 990_000,
      scores: [
        [home + 1, away],
        [home, away],
      ],
    });
  });

  it('put every bet in doubt if one went back further than by the last step', () => {
    const plays = new Plays(60_000);
    plays.report(report([2, 0]), 100_000);
    plays.report(report([0, 0]), 250_000);
    expect(plays.dispute(EVENT)?.sinceMs).toBe(-Infinity);
  });
});

describe('risk in play', () => {
  const grid = (outcome: string): readonly (readonly string[])[] => {
    const parsed = parseBetType('fb', `for,${outcome}`);
    if (parsed === null) throw new Error(outcome);
    return winLossGrid(parsed);
  };
  const playing = (): Bench => {
    const world = bench({ inPlay: { allowed: true } });
    for (const outcome of ['h', 'd', 'a']) world.risk.setGrid(`for,${outcome}` as never, grid(outcome));
    return world;
  };
  const worst = ({ risk }: Bench): number => risk.eventRisk(FIXTURE)?.worstMicros ?? 0;
  const play = ({ risk }: Bench, now: Score): void =>
    risk.onPlay({ ...FIXTURE, inRunning: true, score: now });

  it('limits by the final scores that the score leaves', () => {
    const world = bench({
      inPlay: { allowed: true },
      worstCase: { selectionUsdt: 60, eventUsdt: 60 },
      order: { maxLiabilityUsdt: 60 },
    });
    world.risk.setGrid('for,under,0.5' as never, grid('under,0.5'));
    world.facts = world.facts && { ...world.facts, inRunning: true };
    const goalless = (): string[] =>
      codesOf(world.risk, ask({ betType: 'against,under,0.5', price: 2, stake: 50 }));
    expect(goalless()).toEqual([]);
    expect(goalless()).toContain('event_worst_case');
    play(world, [1, 0]);
    expect(codesOf(world.risk, ask({ betType: 'against,under,0.5', price: 2, stake: 49 }))).not.toContain(
      'event_worst_case',
    );
  });

  it('takes no score of a part of a match, or of another sport, for that of the match', () => {
    const world = bench({ inPlay: { allowed: true }, grids: { scoreSports: ['fb', 'fb_ht', 'ih'] } });
    for (const name of ['fb', 'fb_ht', 'ih'].map(sport)) {
      const event = { ...FIXTURE, sport: name };
      world.risk.setGrid('for,d' as never, grid('d'), name);
      betsOf(world.risk).report(fillOf(ask({ betType: 'against,d', sport: name, price: 2, stake: 10 }), 10));
      world.risk.onPlay({ ...event, inRunning: true, score: [1, 0] });
      const groups = world.risk.outcomePositions(event, [])?.groups ?? [];
      expect(groups.map((group) => group.kind === 'scores' && group.reachable.length)).toEqual([
        name === 'fb' ? 380 : 400,
      ]);
      world.risk.onPlay({ ...event, inRunning: true, score: [0, 0] });
      expect(world.risk.guards.active().some(({ scope }) => 'sport' in scope && scope.sport === name)).toBe(
        name === 'fb',
      );
    }
  });

  it('tells what an event pays at least by the final scores that the score leaves', () => {
    const world = playing();
    world.risk.setGrid('for,under,0.5' as never, grid('under,0.5'));
    const goalless = ask({ betType: 'against,under,0.5', price: 2 });
    betsOf(world.risk).report(fillOf(goalless, 50, { atMs: world.wallMs }));
    const least = (): readonly number[] => world.risk.heldEvents().map(({ leastMicros }) => leastMicros);
    expect(least()).toEqual([-50e6]);
    play(world, [0, 1]);
    expect(least()).toEqual([50e6]);
  });

  it('nets a market from a score on with no other, whatever its lookup tells', () => {
    const world = playing();
    world.risk.setGrid('for,ir,0,0,h' as never, grid('h'));
    betsOf(world.risk).report(
      fillOf(ask({ betType: 'for,ir,0,0,h', stake: 100 }), 100, { atMs: world.wallMs }),
    );
    betsOf(world.risk).report(fillOf(ask({ betType: 'against,h', stake: 100 }), 100, { atMs: world.wallMs }));
    expect(worst(world)).toBe(-200e6);
  });

  it('counts bets since an annulled goal as standing and as void, and halts the event', () => {
    const world = playing();
    play(world, [0, 0]);
    betsOf(world.risk).report(fillOf(ask({ betType: 'for,h' }), 100, { atMs: world.wallMs }));
    world.wallMs += 60_000;
    play(world, [1, 0]);
    betsOf(world.risk).report(fillOf(ask({ betType: 'against,h' }), 100, { atMs: world.wallMs }));
    expect(worst(world)).toBe(0);
    world.wallMs += 30_000;
    play(world, [0, 0]);
    expect(worst(world)).toBe(-100e6);
    const halts = () => world.risk.guards.active().map(({ guard, why }) => [guard, why]);
    expect(halts()).toEqual([['score_change', 'its score went back']]);
    // Much longer than after a goal that stands.
    world.wallMs += 179_000;
    world.nowMs += 179_000;
    world.risk.tick();
    expect([worst(world), halts().length]).toEqual([-100e6, 1]);
    world.wallMs += 2_000;
    world.nowMs += 2_000;
    world.risk.tick();
    expect(worst(world)).toBe(0);
    expect(world.risk.guards.active()).toEqual([]);
  });

  it('compares no position with the exchange meanwhile, which counts bets that may not stand', () => {
    const world = playing();
    const alarms = () => world.risk.guards.active().map(({ guard }) => guard);
    /** The exchange's position of the event, in which so much is matched on home. */
    const compare = (stake: number): void => {
      const total = {
        gotPrice: 2,
        gotStakeMicros: stake * 1e6,
        unknownPrice: null,
        unknownStakeMicros: 0,
      };
      const totals = new Map([[betType('for,h'), total]]);
      const position = { ...FIXTURE, payoffGridMicros: null, totals, unknownBetsCount: 1 };
      for (let times = 0; times < 3; times++) world.risk.onPosition(position);
    };
    play(world, [0, 0]);
    play(world, [1, 0]);
    betsOf(world.risk).report(fillOf(ask({ betType: 'for,h' }), 100, { atMs: world.wallMs }));
    play(world, [0, 0]);
    for (const stake of [0, 100]) compare(stake);
    expect(alarms()).toEqual(['score_change']);
    world.wallMs += 181_000;
    world.nowMs += 181_000;
    world.risk.tick();
    compare(100);
    expect(alarms()).toEqual([]);
    compare(0);
    expect(alarms()).toEqual(['position_mismatch']);
  });

  it('names the worst of the final scores that the score leaves', () => {
    const world = playing();
    betsOf(world.risk).report(fillOf(ask({ betType: 'for,d' }), 10));
    const worstScore = () => world.risk.exposure().events[0]?.worstScore;
    expect(worstScore()).toEqual({ home: 0, away: 1 });
    betsOf(world.risk).report(fillOf(ask({ betType: 'against,d' }), 10));
    play(world, [2, 1]);
    // None is worse than another: the first that can still be.
    expect(worstScore()).toEqual({ home: 2, away: 1 });
  });

  it('counts what others hold on the account like our own bets, whatever is held and whenever it was matched', () => {
    const bets = fc.array(
      fc.record({
        outcome: fc.constantFrom('h', 'd', 'a'),
        direction: fc.constantFrom<Direction>('for', 'against'),
        price: fc.constantFrom(1.5, 2, 4),
        stake: fc.integer({ min: 1, max: 50 }),
        isOurs: fc.boolean(),
        /** Before the goal of the first minute, shortly before its report, while it stands, or after it was annulled. */
        when: fc.constantFrom('before', 'shortly before', 'meanwhile', 'after'),
        isKnownLate: fc.boolean(),
      }),
      { minLength: 1, maxLength: 6 },
    );
    fc.assert(
      fc.property(bets, (given) => {
        const world = playing();
        const beganMs = world.wallMs;
        const goalMs = beganMs + 60_000;
        const atMs = {
          before: goalMs - 10_001,
          'shortly before': goalMs - 10_000,
          meanwhile: goalMs + 5_000,
          after: goalMs + 40_000,
        };
        const placed = given.map(({ outcome, direction, price, stake, isOurs, when, isKnownLate }) => {
          const order = ask({ betType: `${direction},${outcome}`, price, stake });
          const whose = isOurs ? {} : { requestUuid: null, isParlay: false };
          const fill = fillOf(order, stake, { atMs: atMs[when], ...whose });
          return {
            fill: { ...fill, orderId: fill.betId as never },
            isLate: isKnownLate || when === 'after',
            isCertain: when === 'before',
            bet: betOn(outcome, direction, price, stake),
          };
        });
        const reportAll = (isLate: boolean): void => {
          for (const each of placed) if (each.isLate === isLate) betsOf(world.risk).report(each.fill);
        };
        play(world, [0, 0]);
        reportAll(false);
        world.wallMs = goalMs;
        play(world, [1, 0]);
        world.wallMs = goalMs + 30_000;
        play(world, [0, 0]);
        reportAll(true);
        const worstWith = (isDisputed: boolean): number =>
          bruteWorst(
            placed.map(({ bet, isCertain }) => ({ bet, isMatched: isCertain || !isDisputed })),
            [[0, 0]],
          );
        expect(worst(world) + 0).toBe(worstWith(true) + 0);
        const [group] = world.risk.outcomePositions(FIXTURE, [])?.groups ?? [];
        if (group?.kind === 'scores') expect(Math.min(0, ...group.micros)).toBe(worstWith(true) + 0);
        world.wallMs += 180_000;
        world.risk.tick();
        expect(worst(world) + 0).toBe(worstWith(false) + 0);
      }),
      { numRuns: 100 },
    );
  });

  it.each([
    ['by one step', [1, 0], -100e6],
    ['further', [2, 0], -100e6],
  ] as const)(
    'keeps in doubt over a restart what a score that went back (%s) left in doubt',
    (_, annulled, left) => {
      const before = playing();
      play(before, [0, 0]);
      const fills = [fillOf(ask({ betType: 'for,h' }), 100, { atMs: before.wallMs })];
      before.wallMs += 60_000;
      play(before, annulled);
      fills.push(fillOf(ask({ betType: 'against,h' }), 100, { atMs: before.wallMs }));
      before.wallMs += 30_000;
      play(before, [0, 0]);
      const kept = JSON.parse(JSON.stringify(before.risk.snapshot())) as ReturnType<
        typeof before.risk.snapshot
      >;

      const after = playing();
      after.wallMs = before.wallMs + 60_000;
      after.risk.restore(kept);
      for (const fill of fills) betsOf(after.risk).report(fill);
      play(after, [0, 0]);
      expect(worst(after)).toBe(left);
      expect(after.risk.guards.active()).toMatchObject([{ guard: 'score_change' }]);
      after.wallMs += 121_000;
      after.risk.tick();
      expect(worst(after)).toBe(0);
      expect(after.risk.snapshot()).not.toHaveProperty('disputes');
    },
  );
});
