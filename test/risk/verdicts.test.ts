import { describe, expect, it } from 'vitest';
import { eventId, type SelectionId, sport } from '../../src/domain/ids.ts';
import { selectionId } from '../../src/domain/selection.ts';
import {
  LatestVerdicts,
  reasonsOf,
  STAGES,
  type StageVerdict,
  type WantedQuote,
} from '../../src/risk/why.ts';
import { EVENT, FIXTURE, FOOTBALL } from './support/harness.ts';

const HOME = selectionId(FOOTBALL, EVENT, 'h');
const DRAW = selectionId(FOOTBALL, EVENT, 'd');
const ELSEWHERE = selectionId(FOOTBALL, eventId('2026-11-22,3,4'), 'h');
const HALF = selectionId(sport('fb_ht'), EVENT, 'h');

const verdict = (
  stage: StageVerdict['stage'],
  direction: StageVerdict['direction'] = null,
  code = 'why',
): StageVerdict => ({ stage, direction, code, message: 'x', actual: 1, limit: 2, atMs: 3 });

const quote: WantedQuote = { direction: 'for', level: 0, priceKind: 'odds-for', price: 2, stakeMicros: 1 };

describe('the latest verdicts on a selection', () => {
  it('are one for each stage and direction, in the order of the stages', () => {
    const verdicts = new LatestVerdicts();
    for (const stage of STAGES.toReversed()) verdicts.note(HOME, verdict(stage, null, 'old'));
    for (const stage of STAGES.toReversed()) verdicts.note(HOME, verdict(stage));
    expect(verdicts.verdicts(HOME)).toEqual(
      (
        ['universe', 'market', 'strategy', 'person', 'state', 'guard', 'risk', 'budget', 'orders'] as const
      ).map((stage) => verdict(stage)),
    );
    verdicts.note(HOME, verdict('risk', 'for'));
    verdicts.note(HOME, verdict('risk', 'against'));
    expect(verdicts.verdicts(HOME)).toHaveLength(STAGES.length + 2);
    expect(verdicts.verdicts(DRAW)).toEqual([]);
  });

  it('go with the stage and direction that let the selection through', () => {
    const verdicts = new LatestVerdicts();
    for (const direction of ['for', 'against', null] as const)
      verdicts.note(HOME, verdict('risk', direction));
    verdicts.clear(HOME, 'guard', 'for');
    verdicts.clear(DRAW, 'risk', 'for');
    verdicts.clear(HOME, 'risk', 'for');
    expect(verdicts.verdicts(HOME)).toEqual([verdict('risk', 'against'), verdict('risk')]);
    verdicts.clear(HOME, 'risk', null);
    expect(verdicts.selectionsOf(FIXTURE)).toEqual([HOME]);
    verdicts.clear(HOME, 'risk', 'against');
    expect([verdicts.verdicts(HOME), verdicts.selectionsOf(FIXTURE)]).toEqual([[], []]);
  });

  it('name the earliest stage that stops each direction', () => {
    expect(reasonsOf([])).toEqual({ for: null, against: null });
    expect(reasonsOf([verdict('market'), verdict('risk', 'for')])).toEqual({
      for: 'market.why',
      against: 'market.why',
    });
    expect(reasonsOf([verdict('state', 'against', 'a'), verdict('risk', null, 'b')])).toEqual({
      for: 'risk.b',
      against: 'state.a',
    });
    expect(reasonsOf([verdict('risk', 'for', 'a')])).toEqual({ for: 'risk.a', against: null });
  });

  it('are counted by their reasons, over all selections and directions', () => {
    const verdicts = new LatestVerdicts();
    verdicts.note(HOME, verdict('risk', 'for', 'a'));
    verdicts.note(HOME, verdict('orders', 'for', 'later'));
    verdicts.note(DRAW, verdict('risk', null, 'a'));
    verdicts.note(ELSEWHERE, verdict('guard', 'against', 'b'));
    expect(Object.fromEntries(verdicts.reasons())).toEqual({ 'risk.a': 3, 'guard.b': 1 });
  });

  it('are known by event with what is wanted, until they are forgotten', () => {
    const verdicts = new LatestVerdicts();
    verdicts.note(HOME, verdict('risk'));
    for (const id of [HOME, DRAW, ELSEWHERE, HALF]) verdicts.want(id, [quote]);
    expect(verdicts.selectionsOf(FIXTURE)).toEqual([HOME, DRAW]);
    expect([verdicts.wanted(HOME), verdicts.wanted('none' as SelectionId)]).toEqual([[quote], []]);
    verdicts.forget(HOME);
    expect([verdicts.verdicts(HOME), verdicts.wanted(HOME)]).toEqual([[], []]);
    expect([verdicts.selectionsOf(FIXTURE), verdicts.wanted(DRAW)]).toEqual([[DRAW], [quote]]);
  });
});
