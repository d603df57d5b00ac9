import { describe, expect, it } from 'vitest';
import { eventId, requestUuid, type SelectionId, sport } from '../../src/domain/ids.ts';
import { tickOf } from '../../src/domain/ladder.ts';
import type { QuoteIntent } from '../../src/domain/quote-intent.ts';
import { selectionId } from '../../src/domain/selection.ts';
import { ACCOUNT } from '../../src/risk/index.ts';
import { LatestVerdicts } from '../../src/risk/why.ts';
import { ask, bench, EVENT, fillOf, FIXTURE, FOOTBALL, live } from './support/harness.ts';
import { betsOf } from '../support/account.ts';

const SELECTION = live(ask()).selectionId;
const OTHER = eventId('2026-11-22,3,4');
const quote = (direction: 'for' | 'against', price: number): QuoteIntent => ({
  selectionId: SELECTION,
  direction,
  tick: tickOf(price) ?? 0,
  stakeMicros: 5e6,
  level: 0,
});

describe('why', () => {
  it('shows the strategy’s reason for a quote, if it gave one', () => {
    const { risk } = bench();
    risk.admit([SELECTION], [{ ...quote('for', 2.1), reason: 'fair 0.47' }, quote('against', 1.9)]);
    const [withReason, without] = risk.why(SELECTION).wanted;
    expect(withReason).toMatchObject({ direction: 'for', reason: 'fair 0.47' });
    expect(without).not.toHaveProperty('reason');
  });

  it('says of each wanted quote what its price is', () => {
    const { risk } = bench();
    const onOwnLadder: QuoteIntent = { ...quote('against', 1.75), priceKind: 'odds-against' };
    risk.admit([SELECTION], [quote('for', 2.1), quote('against', 1.9), onOwnLadder]);
    expect(risk.why(SELECTION).wanted).toMatchObject([
      { direction: 'for', priceKind: 'odds-for', price: 2.1 },
      { direction: 'against', priceKind: 'lay-for', price: 1.9 },
      { direction: 'against', priceKind: 'odds-against', price: 1.75 },
    ]);
  });

  it('shows the wanted quote, and the first reason that blocks it', () => {
    const world = bench();
    world.risk.admit([SELECTION], [quote('for', 2.1)]);
    expect(world.risk.why(SELECTION)).toMatchObject({
      wanted: [{ direction: 'for', level: 0, price: 2.1, stakeMicros: 5e6 }],
      reason: { for: null, against: null },
      state: { state: 'active' },
      alarms: [],
    });
    world.risk.approve(ask({ stake: 501 }));
    world.risk.note(SELECTION, {
      stage: 'budget',
      direction: null,
      code: 'betslips',
      message: 'none left',
      actual: 0,
      limit: 9,
    });
    expect(world.risk.why(SELECTION).reason).toEqual({ for: 'risk.stake_limit', against: 'budget.betslips' });
    expect(world.risk.reasons()).toEqual(
      new Map([
        ['risk.stake_limit', 1],
        ['budget.betslips', 1],
      ]),
    );
    expect(world.risk.refusals()).toEqual(new Map([['stake_limit', 1]]));
    world.risk.guards.onFeedCleared();
    world.risk.admit([SELECTION], [quote('for', 2.1)]);
    expect(world.risk.why(SELECTION)).toMatchObject({
      reason: { for: 'guard.feed_cleared' },
      alarms: [{ guard: 'feed_cleared' }],
    });
  });

  it('forgets reasons that no longer hold', () => {
    const world = bench();
    world.risk.guards.onFeedCleared();
    world.risk.admit([SELECTION], [quote('for', 2.1)]);
    world.nowMs += 10_000;
    world.risk.admit([SELECTION], [quote('for', 2.1)]);
    expect(world.risk.why(SELECTION).verdicts).toEqual([]);
    world.risk.approve(ask({ stake: 501 }));
    world.risk.approve(ask({ stake: 50 }));
    expect(world.risk.why(SELECTION).verdicts).toEqual([]);
    world.risk.approve(ask({ stake: 501 }));
    world.risk.admit([SELECTION], []);
    expect(world.risk.why(SELECTION).wanted).toEqual([]);
    expect(world.risk.why(SELECTION).verdicts).toEqual([]);
  });

  it('counts a refusal without a direction for both', () => {
    const { risk } = bench();
    risk.approve({ ...ask(), requestUuid: requestUuid('x'), betType: ask({ betType: 'lay,h' }).betType });
    expect(risk.refusals()).toEqual(new Map([['unknown_direction', 1]]));
    expect(risk.reasons().size).toBe(0);
  });

  it('keeps a refusal of one direction while that one is still wanted', () => {
    const { risk } = bench();
    for (const betType of ['for,h', 'against,h']) risk.approve(ask({ betType, stake: 501 }));
    risk.admit([SELECTION], [quote('for', 2.1)]);
    expect(risk.why(SELECTION).reason).toEqual({ for: 'risk.stake_limit', against: null });
  });

  it('shows when, and by which numbers, an order was refused', () => {
    const world = bench();
    world.risk.approve(ask({ stake: 501 }));
    world.nowMs += 5;
    world.risk.kill('drill', 'me');
    world.risk.admit([SELECTION], [quote('for', 2.1)]);
    expect(world.risk.why(SELECTION).verdicts).toEqual([
      {
        stage: 'state',
        direction: 'for',
        code: 'halted',
        message: 'by me: killed: drill',
        actual: null,
        limit: null,
        atMs: 100_005,
      },
      {
        stage: 'risk',
        direction: 'for',
        code: 'stake_limit',
        message: 'the stake is above the limit',
        actual: 501,
        limit: 500,
        atMs: 100_000,
      },
    ]);
  });

  it('takes reasons of other stages too, until they let the quote through', () => {
    const world = bench();
    const none = { code: 'betslips', message: 'none left', actual: 0, limit: 9 } as const;
    world.risk.note(SELECTION, { stage: 'budget', direction: null, ...none });
    world.risk.note(SELECTION, { stage: 'orders', direction: 'for', ...none });
    expect(world.risk.why(SELECTION).verdicts).toEqual([
      { stage: 'budget', direction: null, ...none, atMs: 100_000 },
      { stage: 'orders', direction: 'for', ...none, atMs: 100_000 },
    ]);
    world.risk.clearNote(SELECTION, 'orders', 'against');
    world.risk.clearNote(SELECTION, 'budget', null);
    expect(world.risk.why(SELECTION).reason).toEqual({ for: 'orders.betslips', against: null });
    world.risk.clearNote(SELECTION, 'orders', 'for');
    expect(world.risk.why(SELECTION).reason).toEqual({ for: null, against: null });
  });

  it('knows which directions were wanted at the strategy’s last decision', () => {
    const { risk } = bench();
    const wants = () => [risk.wants(SELECTION, 'for'), risk.wants(SELECTION, 'against')];
    expect(wants()).toEqual([false, false]);
    risk.admit([SELECTION], [quote('for', 2.1)]);
    expect(wants()).toEqual([true, false]);
    risk.admit([SELECTION], [quote('against', 1.9)]);
    expect(wants()).toEqual([false, true]);
  });

  it('is forgotten, for that selection only, once it has no target', () => {
    const { risk } = bench();
    const other = selectionId(FOOTBALL, EVENT, 'd');
    risk.kill('drill', 'me');
    risk.admit([SELECTION, other], [quote('for', 2.1), { ...quote('for', 2.1), selectionId: other }]);
    risk.forgetReasons(SELECTION);
    expect(risk.why(SELECTION)).toMatchObject({ wanted: [], verdicts: [] });
    expect(risk.why(other)).toMatchObject({ wanted: [{}], verdicts: [{ code: 'halted' }] });
  });
});

describe('reasons', () => {
  const verdict = (stage: 'risk' | 'budget', direction: 'for' | null) =>
    ({ stage, direction, code: 'c', message: 'm', actual: null, limit: null, atMs: 0 }) as const;

  it('are counted once for each direction that they block', () => {
    const book = new LatestVerdicts();
    book.note(SELECTION, verdict('budget', null));
    book.note(SELECTION, verdict('risk', 'for'));
    expect(book.verdicts(SELECTION).map(({ stage }) => stage)).toEqual(['risk', 'budget']);
    expect(book.reasons()).toEqual(
      new Map([
        ['risk.c', 1],
        ['budget.c', 1],
      ]),
    );
    book.clear(SELECTION, 'budget', 'for');
    expect(book.verdicts(SELECTION)).toHaveLength(2);
    book.clear(SELECTION, 'budget', null);
    expect(book.reasons()).toEqual(new Map([['risk.c', 1]]));
    book.clear(SELECTION, 'risk', 'for');
    expect([book.reasons().size, book.verdicts(SELECTION), book.wanted(SELECTION)]).toEqual([0, [], []]);
  });

  it('are forgotten with the event, and not with some of its bets', () => {
    const { risk } = bench();
    const fills = [fillOf(ask(), 1), fillOf(ask({ betType: 'for,d' }), 1)];
    for (const each of fills) betsOf(risk).report(each);
    risk.approve(ask({ stake: 501 }));
    risk.admit(
      [SELECTION],
      [{ selectionId: SELECTION, direction: 'for', tick: 99, stakeMicros: 1, level: 0 }],
    );
    betsOf(risk).settle([fills[1]?.betId ?? fillOf(ask(), 1).betId]);
    expect(risk.why(SELECTION)).toMatchObject({ verdicts: [{}], wanted: [{}] });
    risk.onEventOver(FIXTURE);
    expect(risk.why(SELECTION)).toMatchObject({ verdicts: [], wanted: [] });
  });

  it('say nothing of unknown selections, except what binds the account', () => {
    const { risk } = bench();
    risk.setState(ACCOUNT, 'reducing', 'me', 'x');
    expect(risk.why('nonsense' as SelectionId)).toMatchObject({ state: { state: 'reducing' }, alarms: [] });
    const intent: QuoteIntent = {
      selectionId: 'nonsense' as SelectionId,
      direction: 'for',
      tick: 5,
      stakeMicros: 1,
      level: 0,
    };
    expect(risk.admit([], [intent]).blocked).toMatchObject([
      { code: 'reducing_only', stage: 'state', message: 'by me: x' },
    ]);
  });

  it('of one selection are not those of another', () => {
    const { risk } = bench();
    const other = selectionId(FOOTBALL, EVENT, 'd');
    const intent = (id: SelectionId): QuoteIntent => ({
      selectionId: id,
      direction: 'for',
      tick: 99,
      stakeMicros: 1,
      level: 0,
    });
    risk.kill('x', 'me');
    risk.admit([SELECTION, other], [intent(SELECTION), intent(other)]);
    expect(risk.why(SELECTION).wanted).toHaveLength(1);
    risk.resume('y', 'me');
    risk.admit([SELECTION], [intent(SELECTION)]);
    expect([risk.why(SELECTION).reason.for, risk.why(other).reason.for]).toEqual([null, 'state.halted']);
  });

  it('are forgotten with the event when nothing was ever bet on it, and those of other events are not', () => {
    const { risk } = bench();
    const other = selectionId(FOOTBALL, OTHER, 'h');
    risk.approve(ask({ stake: 501 }));
    risk.approve(ask({ stake: 501, event: OTHER }));
    risk.onEventOver(FIXTURE);
    expect([risk.why(SELECTION).verdicts, risk.why(other).verdicts]).toMatchObject([[], [{}]]);
    risk.admit([SELECTION, other], [quote('for', 2.1), { ...quote('for', 2.1), selectionId: other }]);
    risk.onEventOver(FIXTURE);
    expect([risk.why(SELECTION).wanted, risk.why(other).wanted]).toMatchObject([[], [{}]]);
  });

  it('are found by event as long as one is left', () => {
    const book = new LatestVerdicts();
    expect(book.selectionsOf(FIXTURE)).toEqual([]);
    book.note(SELECTION, verdict('risk', 'for'));
    book.note(SELECTION, verdict('budget', null));
    book.clear(SELECTION, 'risk', 'for');
    expect(book.selectionsOf({ sport: sport('fb_ht'), eventId: EVENT })).toEqual([]);
    expect([book.selectionsOf(FIXTURE), book.selectionsOf({ sport: FOOTBALL, eventId: OTHER })]).toEqual([
      [SELECTION],
      [],
    ]);
    book.clear(SELECTION, 'budget', null);
    expect(book.selectionsOf(FIXTURE)).toEqual([]);
    book.want(SELECTION, []);
    expect(book.selectionsOf(FIXTURE)).toEqual([SELECTION]);
    book.forget(SELECTION);
    expect(book.selectionsOf(FIXTURE)).toEqual([]);
  });
});
