import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseBetType, winLossGrid } from '../../../src/domain/bet-types/index.ts';
import type { EventName, Score } from '../../../src/domain/events.ts';
import { betType, eventId } from '../../../src/domain/ids.ts';
import type { PlaceOrder } from '../../../src/domain/orders.ts';
import type { Direction } from '../../../src/domain/selection.ts';
import { betsOf } from '../../support/account.ts';
import { ask, bench, type Bench, fillOf, FIXTURE, live } from '../support/harness.ts';

/** What each selection needs to win, by the final score. */
const WINS = {
  h: ([home, away]: Score) => home > away,
  d: ([home, away]: Score) => home === away,
  a: ([home, away]: Score) => home < away,
  'over,1.5': ([home, away]: Score) => home + away > 1.5,
  'cs,1,0': ([home, away]: Score) => home === 1 && away === 0,
};
type Outcome = keyof typeof WINS;
const OUTCOMES = Object.keys(WINS) as readonly Outcome[];

const EVENTS: readonly EventName[] = [FIXTURE, { ...FIXTURE, eventId: eventId('2026-11-21,30,40') }];
const SCORES: readonly Score[] = Array.from({ length: 400 }, (_, cell) => [Math.floor(cell / 20), cell % 20]);
const SECOND_MS = 1_000;

interface Terms {
  readonly outcome: Outcome;
  readonly direction: Direction;
  readonly price: number;
  readonly stake: number;
}

/** What may happen on one of two events, so many seconds after what happened before. */
type Act = { readonly event: number; readonly afterS: number } & (
  | { readonly kind: 'fill'; readonly terms: Terms; readonly isOurs: boolean; readonly ageS: number }
  | { readonly kind: 'order'; readonly terms: Terms }
  | { readonly kind: 'close' }
  | { readonly kind: 'score'; readonly score: Score }
  | { readonly kind: 'lost score' }
);

const goals = fc.integer({ min: 0, max: 2 });
const terms = fc.record({
  outcome: fc.constantFrom(...OUTCOMES),
  direction: fc.constantFrom<Direction>('for', 'against'),
  price: fc.constantFrom(1.5, 2, 4),
  stake: fc.integer({ min: 1, max: 50 }),
});
const when = { event: fc.constantFrom(0, 0, 1), afterS: fc.constantFrom(0, 1, 9, 10, 60, 120, 179, 180) };
const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({
    kind: fc.constant('fill' as const),
    terms,
    isOurs: fc.boolean(),
    ageS: fc.constantFrom(0, 5, 30),
    ...when,
  }),
  fc.record({ kind: fc.constant('order' as const), terms, ...when }),
  fc.record({ kind: fc.constant('close' as const), ...when }),
  fc.record({ kind: fc.constant('score' as const), score: fc.tuple(goals, goals), ...when }),
  fc.record({ kind: fc.constant('score' as const), score: fc.tuple(goals, goals), ...when }),
  fc.record({ kind: fc.constant('lost score' as const), ...when }),
);

interface Told {
  readonly score: Score;
  readonly atMs: number;
}

/** All that was ever told of an event, kept as a list. */
interface Story {
  readonly fills: { readonly terms: Terms; readonly atMs: number }[];
  readonly orders: { readonly terms: Terms; readonly order: PlaceOrder }[];
  readonly told: Told[];
}

const isBack = ([home, away]: Score, [homeBefore, awayBefore]: Score): boolean =>
  home < homeBefore || away < awayBefore;

/**
 * The scores of which each may be right, and since when bets are in doubt: read anew from the whole list. A doubt lasts for three minutes
 * after the last change in it.
 */
function doubtOf(
  told: readonly Told[],
  nowMs: number,
): { readonly scores: readonly Score[]; readonly sinceMs: number } {
  let [scores, sinceMs, untilMs] = [[] as Score[], Infinity, -Infinity];
  for (const [at, { score, atMs }] of told.entries()) {
    const last = told[at - 1];
    if (atMs >= untilMs) [scores, sinceMs, untilMs] = [[], Infinity, -Infinity];
    if (last === undefined || (scores.length === 0 && !isBack(score, last.score))) continue;
    const before = told[at - 2]?.score ?? null;
    const isOneStep = before !== null && before[0] === score[0] && before[1] === score[1];
    const fromMs = !isBack(score, last.score) ? atMs : isOneStep ? last.atMs - 10 * SECOND_MS : -Infinity;
    scores = [...(scores.length === 0 ? [last.score] : scores), score];
    [sinceMs, untilMs] = [Math.min(sinceMs, fromMs), atMs + 180 * SECOND_MS];
  }
  const isOver = nowMs >= untilMs;
  return {
    scores: isOver ? told.slice(-1).map(({ score }) => score) : scores,
    sinceMs: isOver ? Infinity : sinceMs,
  };
}

function pays({ outcome, direction, price, stake }: Terms, score: Score): number {
  const backed = WINS[outcome](score) ? stake * (price - 1) : 0 - stake;
  return 1e6 * (direction === 'for' ? backed : 0 - backed);
}

/** What an event pays in each final score that can still be: what is held, and then with all that orders may lose. */
function resultsOf({ fills, orders, told }: Story, nowMs: number) {
  const { scores, sinceMs } = doubtOf(told, nowMs);
  const reachable = SCORES.filter(
    ([home, away]) =>
      scores.length === 0 || scores.some(([ofHome, ofAway]) => home >= ofHome && away >= ofAway),
  );
  const held = reachable.map((score) =>
    fills.reduce(
      (sum, { terms: bet, atMs }) => sum + Math.min(pays(bet, score), atMs < sinceMs ? Infinity : 0),
      0,
    ),
  );
  const withOrders = reachable.map((score, at) =>
    orders.reduce((sum, { terms: bet }) => sum + Math.min(0, pays(bet, score)), held[at] as number),
  );
  return { held, withOrders };
}

function playing(): Bench {
  const world = bench({ inPlay: { allowed: true } });
  for (const outcome of OUTCOMES) {
    const parsed = parseBetType('fb', `for,${outcome}`);
    if (parsed !== null) world.risk.setGrid(betType(`for,${outcome}`), winLossGrid(parsed));
  }
  return world;
}

it('the worst case and the least gain of events and account are those of a list of all that was told', () => {
  fc.assert(
    fc.property(fc.array(act, { maxLength: 25, size: 'max' }), (acts) => {
      const world = playing();
      const { risk } = world;
      const stories = EVENTS.map((): Story => ({ fills: [], orders: [], told: [] }));
      for (const { event: at, afterS, ...each } of acts) {
        const [event, story] = [EVENTS[at] as EventName, stories[at] as Story];
        world.wallMs += afterS * SECOND_MS;
        world.nowMs += afterS * SECOND_MS;
        risk.tick();
        if (each.kind === 'fill' || each.kind === 'order') {
          const { outcome, direction, price, stake } = each.terms;
          const order = ask({ betType: `${direction},${outcome}`, price, stake, event: event.eventId });
          if (each.kind === 'order') {
            story.orders.push({ terms: each.terms, order });
            risk.onOrder(live(order));
          } else {
            const atMs = world.wallMs - each.ageS * SECOND_MS;
            story.fills.push({ terms: each.terms, atMs });
            const whose = each.isOurs ? {} : { requestUuid: null, isParlay: false };
            betsOf(risk).report(fillOf(order, stake, { atMs, ...whose }));
          }
        } else if (each.kind === 'close') {
          const last = story.orders.pop();
          if (last !== undefined) risk.onOrder(live(last.order, { state: 'closed' }));
        } else {
          const score = each.kind === 'score' ? each.score : null;
          const last = story.told.at(-1)?.score;
          const isNew = score !== null && !(last?.[0] === score[0] && last[1] === score[1]);
          if (isNew) story.told.push({ score, atMs: world.wallMs });
          risk.onPlay({ ...event, inRunning: true, score });
        }
        const results = stories.map((of) => resultsOf(of, world.wallMs));
        const worsts = results.map(({ withOrders }) => Math.min(0, ...withOrders));
        const told = EVENTS.map((of) => risk.eventRisk(of)?.worstMicros ?? 0);
        expect(told.map((micros) => micros + 0)).toEqual(worsts.map((micros) => micros + 0));
        expect(risk.exposure().account.worstMicros + 0).toBe(
          worsts.reduce((sum, micros) => sum + micros, 0) + 0,
        );
        for (const { leastMicros, ...of } of risk.heldEvents()) {
          const { held } = results[EVENTS.findIndex(({ eventId: id }) => id === of.eventId)] ?? { held: [] };
          expect(leastMicros + 0).toBe(Math.min(...held) + 0);
        }
      }
    }),
    { numRuns: 150 },
  );
});

it('a score is not compared with that of an event which is over', () => {
  const { risk } = playing();
  const order = ask({ betType: 'for,over,1.5', price: 2, stake: 10 });
  const report = (score: Score): void => risk.onPlay({ ...FIXTURE, inRunning: true, score });
  report([2, 0]);
  risk.onEventOver(FIXTURE);
  report([0, 0]);
  betsOf(risk).report(fillOf(order, 10));
  expect(risk.eventRisk(FIXTURE)?.worstMicros).toBe(-10e6);
  expect(risk.guards.active()).toEqual([]);
});
