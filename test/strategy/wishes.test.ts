import { describe, expect, it } from 'vitest';
import type { SelectionView } from '../../src/domain/event-view.ts';
import type { HedgeIntent } from '../../src/domain/hedge-intent.ts';
import { eventId } from '../../src/domain/ids.ts';
import type { IntentFault } from '../../src/strategy/intents.ts';
import { validWishes } from '../../src/strategy/wishes.ts';
import { anEvent, aSelection, aView } from '../../src/testing/index.ts';

const HOME = aSelection();
const VIEW = aView({ selections: [HOME] });
const { selectionId } = HOME;
const QUOTE = { selectionId, direction: 'for', tick: 139, level: 0, stakeMicros: 20e6 } as const;
const [AWAY, DRAW] = [aSelection({ outcome: 'a' }), aSelection({ outcome: 'd' })];
const OTHER = aSelection({ event: anEvent({ eventId: eventId('2026-11-21,30,40') }), outcome: 'a' });
const LOST = { ifWinMicros: 20e6, ifLoseMicros: -10e6 };
const FLAT: HedgeIntent = { hedge: 'goal 1-0', goal: { kind: 'flatten', selectionId } };

function valid(...wanted: readonly unknown[]) {
  const faults: IntentFault[] = [];
  return { ...validWishes(VIEW, wanted, (fault) => faults.push(fault)), faults };
}

describe('what a strategy wants', () => {
  it('is quotes and hedges, in any order', () => {
    expect(valid(FLAT, QUOTE)).toEqual({ intents: [QUOTE], hedges: [FLAT], faults: [] });
    expect(valid(QUOTE)).toEqual({ intents: [QUOTE], faults: [] });
  });

  it('is copied, because the strategy may reuse its objects', () => {
    const goal = { kind: 'bound' as const, boundMicros: 5e6 };
    const { hedges } = valid({ hedge: 'x', goal, way: 'offer', reason: 'red' });
    goal.boundMicros = 1;
    expect(hedges).toEqual([
      { hedge: 'x', goal: { kind: 'bound', boundMicros: 5e6 }, way: 'offer', reason: 'red' },
    ]);
  });

  it.each<readonly [string, object]>([
    ['an empty id', { hedge: '' }],
    ['an id that is too long for those of its bets', { hedge: 'x'.repeat(61) }],
    ['an id with a line break', { hedge: 'a\nb' }],
    ['an id that is no text', { hedge: 7 }],
    ['an unknown way', { way: 'dark' }],
    ['a reason that is no text', { reason: 7 }],
    ['no goal', { goal: undefined }],
    ['an unknown goal', { goal: { kind: 'kill' } }],
    ['a selection that is not in the view', { goal: { kind: 'flatten', selectionId: 'fb|x|h' } }],
    ['a bound below 0', { goal: { kind: 'bound', boundMicros: -1 } }],
    ['a bound that is not whole', { goal: { kind: 'bound', boundMicros: 1.5 } }],
    ['too many bets', { goal: { kind: 'bound', boundMicros: 1, mostLegs: 4 } }],
    ['a market that is no text', { goal: { kind: 'equalise', marketType: 7 } }],
  ])('leaves out a hedge with %s, and names it', (_, changes) => {
    const { intents, hedges, faults } = valid(QUOTE, { ...FLAT, ...changes });
    expect([intents, hedges]).toEqual([[QUOTE], undefined]);
    expect(faults).toMatchObject([{ kind: 'invalid-intent', selectionId: null, refused: { rule: 'hedge' } }]);
  });

  it.each<readonly [string, Partial<HedgeIntent>]>([
    ['an id of one character', { hedge: 'x' }],
    ['the longest id', { hedge: '~'.repeat(60) }],
    ['a bound of 0', { goal: { kind: 'bound', boundMicros: 0 } }],
    ['one bet', { goal: { kind: 'bound', boundMicros: 1, mostLegs: 1 } }],
    ['three bets', { goal: { kind: 'bound', boundMicros: 1, mostLegs: 3 } }],
    ['any market', { goal: { kind: 'equalise', marketType: null } }],
    ['a named market', { goal: { kind: 'equalise', marketType: 'wdw' } }],
    ['a take', { way: 'take' }],
  ])('may be a hedge with %s', (_, changes) => {
    expect(valid({ ...FLAT, ...changes })).toEqual({
      intents: [],
      hedges: [{ ...FLAT, ...changes }],
      faults: [],
    });
  });

  it.each<readonly [string, SelectionView, readonly SelectionView[], boolean]>([
    ['of the view', HOME, [HOME], true],
    ['that is held beside those of the view', AWAY, [HOME], true],
    ['that is held where the view has none', AWAY, [], true],
    ['that is of the view no more, and not held', HOME, [DRAW], false],
    ['that is held on another event', OTHER, [HOME], false],
  ])('may flatten a selection %s', (_, { selectionId: id }, selections, isValid) => {
    const view = aView({
      selections,
      holdings: [{ selectionId: AWAY.selectionId, position: LOST, grid: null }],
    });
    const wish = { hedge: 'x', goal: { kind: 'flatten', selectionId: id } };
    const { hedges = [] } = validWishes(view, [wish], () => undefined);
    expect(hedges).toEqual(isValid ? [wish] : []);
  });

  it('has one hedge for each id', () => {
    const { hedges, faults } = valid(FLAT, { ...FLAT, goal: { kind: 'equalise', marketType: null } });
    expect([hedges, faults.map(({ message }) => message)]).toEqual([[FLAT], ['duplicate']]);
  });

  it('cannot pass off a quote as a bet of a hedge', () => {
    const { intents, hedges, faults } = valid({ ...QUOTE, hedge: 'mine', take: 'mine/0' });
    expect([intents, hedges, faults.length]).toEqual([[], undefined, 1]);
  });
});
