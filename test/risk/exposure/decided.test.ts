/** A selection that the score has decided is worth what it pays: its last price is from before the goal. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseBetType, winLossGrid } from '../../../src/domain/bet-types/index.ts';
import type { Score } from '../../../src/domain/events.ts';
import { eventId, sport } from '../../../src/domain/ids.ts';
import { LOSS, WIN } from '../../../src/domain/payoff.ts';
import { selectionId } from '../../../src/domain/selection.ts';
import { settleAt } from '../../support/bet-types.ts';
import { OUTCOMES } from '../support/books.ts';
import { bench, FIXTURE } from '../support/harness.ts';

const GRID_SIZE = 20;
const parsedOf = (outcome: string) => {
  const parsed = parseBetType('fb', `for,${outcome}`);
  if (parsed === null) throw new Error(outcome);
  return parsed;
};

function playing(outcomes: readonly string[] = OUTCOMES) {
  const world = bench({ inPlay: { allowed: true }, grids: { onceProven: [] } });
  for (const outcome of outcomes)
    world.risk.setGrid(`for,${outcome}` as never, winLossGrid(parsedOf(outcome)));
  const play = (score: Score): void => world.risk.onPlay({ ...FIXTURE, inRunning: true, score });
  const decided = (outcome: string): 0 | 1 | null =>
    world.risk.decided(selectionId(FIXTURE.sport, FIXTURE.eventId, outcome));
  return { ...world, play, decided };
}

/** By the settlement of each final score that can follow. */
function bruteDecided(outcome: string, [home, away]: Score): 0 | 1 | null {
  const parsed = parsedOf(outcome);
  const settled = new Set<unknown>();
  for (let h = home; h < GRID_SIZE; h++)
    for (let a = away; a < GRID_SIZE; a++) settled.add(settleAt(parsed, h, a));
  if (settled.size !== 1) return null;
  return settled.has(WIN) ? 1 : settled.has(LOSS) ? 0 : null;
}

const goals = fc.integer({ min: 0, max: 12 });

describe('a selection', () => {
  it('is decided once every final score that can follow pays it the same, won or lost', () => {
    fc.assert(
      fc.property(fc.constantFrom(...OUTCOMES), fc.tuple(goals, goals), (outcome, score) => {
        const { play, decided } = playing([outcome]);
        play(score);
        expect(decided(outcome)).toBe(bruteDecided(outcome, score));
      }),
      { numRuns: 300 },
    );
  });

  it.each<readonly [outcome: string, score: Score, decided: 0 | 1 | null]>([
    ['over,2.5', [1, 1], null],
    ['over,2.5', [2, 1], 1],
    ['under,2.5', [2, 1], 0],
    ['over,2', [1, 1], null],
    ['over,2', [2, 1], 1],
    ['cs,2,1', [0, 2], 0],
    ['score,both,yes', [1, 1], 1],
    ['h', [5, 0], null],
  ])('of %s at %j is worth %s', (outcome, score, expected) => {
    const { play, decided } = playing();
    play(score);
    expect(decided(outcome)).toBe(expected);
  });

  it('is open before play, while a score is disputed, in a sport whose scores decide nothing, and once the event is over', () => {
    const { risk, play, decided } = playing();
    expect(decided('over,2.5')).toBeNull();
    play([2, 1]);
    expect(decided('over,2.5')).toBe(1);
    play([2, 0]);
    expect(decided('over,2.5')).toBeNull();
    expect(decided('over,0.5' as never)).toBeNull();
    const other = selectionId(sport('tennis'), eventId(FIXTURE.eventId), 'over,2.5');
    expect([risk.decided(other), risk.decided('no name' as never)]).toEqual([null, null]);
    risk.onEventOver(FIXTURE);
    expect(decided('score,both,yes')).toBeNull();
  });
});
