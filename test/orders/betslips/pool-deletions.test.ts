import { beforeEach, describe, expect, it } from 'vitest';
import { TransportError, VenueRejection } from '../../../src/domain/errors.ts';
import { marketKey } from '../../../src/domain/exchange-prices.ts';
import type { BetslipId } from '../../../src/domain/ids.ts';
import {
  betslip,
  DRAW,
  HOME,
  ID,
  KEY,
  KEPT,
  opening,
  OPTIONS,
  PoolRig,
  SECOND_ID,
} from '../support/pool-rig.ts';

const NOT_FOUND = new VenueRejection('not_found', 404, 'no');
const FAILING = new VenueRejection('server_error', 503, 'no');
const UNANSWERED = new TransportError('unknown', 'cut');

let given: PoolRig;

beforeEach(() => {
  given = new PoolRig();
});

describe('a betslip without a usable quote', () => {
  it('is deleted after a time, counted from its opening', async () => {
    given.pool.request(HOME, opening());
    await given.advance(3_000);
    await given.rig.take('createBetslip').answer(betslip());
    given.wanted();
    given.pool.sweep();
    expect(await given.sweptAfter(OPTIONS.quoteTimeoutMs)).toEqual([]);
    expect(await given.sweptAfter(1)).toEqual(['deleteBetslip']);
    expect(given.pool.facts().refuses(KEY, { creating: 0, quoteless: 0, unproven: 0 })).toBe(true);
  });

  it('is deleted once its quote was too old for as long', async () => {
    await given.quoted();
    given.wanted();
    expect(await given.sweptAfter(OPTIONS.quoteMaxAgeMs + OPTIONS.quoteTimeoutMs)).toEqual([]);
    expect(await given.sweptAfter(1)).toEqual(['deleteBetslip']);
  });

  it('is not at fault while the stream is down, nor soon after its return', async () => {
    await given.open();
    given.wanted();
    given.pool.sweep();
    given.rig.halts.set('stream', 'stream_closed');
    expect(await given.sweptAfter(9_000)).toEqual([]);
    given.rig.halts.clear('stream');
    given.pool.onStreamBack();
    expect(await given.sweptAfter(OPTIONS.quoteTimeoutMs)).toEqual([]);
    expect(await given.sweptAfter(1)).toEqual(['deleteBetslip']);
  });

  it('is judged by no sweep that comes late', async () => {
    await given.open();
    for (let sweep = 0; sweep < 2; sweep++) given.pool.sweep();
    await given.advance(OPTIONS.quoteTimeoutMs + 1);
    given.pool.sweep();
    expect(given.rig.methods()).toEqual([]);
    given.pool.sweep();
    expect(given.rig.methods()).toEqual(['deleteBetslip']);
  });
});

describe('a deletion', () => {
  beforeEach(async () => given.quoted());

  it('reduces what is open, is made once, and frees the place with its answer', async () => {
    given.pool.delete(KEY, false);
    given.pool.delete(KEY, false);
    given.pool.discard(ID);
    given.pool.delete('another', true);
    expect(given.rig.asked.map(({ method, args }) => [method, args])).toEqual([['deleteBetslip', [ID]]]);
    expect(given.rig.asked[0]?.options).toEqual({ priority: 'reducing', once: true });
    expect([given.pool.open, given.held?.state, given.changes]).toEqual([1, 'deleting', []]);
    await given.rig.take('deleteBetslip').answer();
    expect([given.pool.open, given.changes]).toEqual([0, [[KEY, false]]]);
  });

  it.each([
    [true, true],
    [false, false],
  ])('pauses a market that could not use it: unused %s', (isUnused, isPaused) => {
    given.pool.delete(KEY, isUnused);
    expect(given.pool.facts().refuses(KEY, { creating: 0, quoteless: 0, unproven: 0 })).toBe(isPaused);
  });

  it('of one for which an order was refused is made at once, and of an unknown one never', () => {
    given.pool.discard('another' as BetslipId);
    expect(given.rig.methods()).toEqual([]);
    given.pool.discard(ID);
    expect(given.rig.methods()).toEqual(['deleteBetslip']);
  });

  it('that fails keeps the betslip, which rests, counts as unwanted, and gets its turn', async () => {
    await given.advance(4_000);
    given.pool.delete(KEY, false);
    await given.rig.take('deleteBetslip').fail(FAILING);
    expect(given.held).toMatchObject({ state: 'open', restsUntilMs: 5_000, unwantedMs: 2_000 });
    expect([given.pool.facts().deletesFromMs, given.changes]).toEqual([5_000, [[KEY, false]]]);
    given.pool.delete(KEY, false);
    await given.rig.take('deleteBetslip').fail(UNANSWERED);
    expect([given.pool.facts().deletesFromMs, given.held?.restsUntilMs]).toEqual([5_300, 5_300]);
  });

  it.each([
    ['the exchange does not have it', 4_000, NOT_FOUND],
    ['it is past its end', OPTIONS.lifeMs, FAILING],
  ])('that fails because %s has done its work', async (_, atMs, error) => {
    await given.advance(atMs);
    given.pool.delete(KEY, false);
    await given.rig.take('deleteBetslip').fail(error);
    expect(given.pool.open).toBe(0);
  });

  it('of all at the end covers those that are still being created, and no other is opened', async () => {
    given.pool.request(DRAW, opening({ key: marketKey(DRAW) }));
    given.pool.deleteAll();
    expect(given.rig.asked.map(({ args }) => args)).toEqual([[DRAW], [ID]]);
    await given.rig.take('createBetslip').answer(betslip({ ...DRAW, betslipId: SECOND_ID }));
    expect(given.rig.asked.map(({ args }) => args)).toEqual([[ID], ['slip-2']]);
    const none = { creating: 0, quoteless: 0, unproven: 0 };
    expect(given.pool.facts().refuses(KEY, none)).toBe(true);
    for (const asked of given.rig.asked.splice(0)) await asked.fail(FAILING);
    expect(given.pool.open).toBe(2);
    expect(await given.sweptAfter(5_000)).toEqual(['deleteBetslip', 'deleteBetslip']);
  });
});

describe('a betslip that the exchange closed', () => {
  beforeEach(async () => given.quoted());

  it.each([
    ['at once has come to nothing', 4_999, false, false, ['betslip  closed']],
    ['after five seconds has not', 5_000, false, false, []],
    ['in use has not', 100, true, false, []],
    ['while an order names it has not', 100, false, true, []],
  ])('%s', async (_, afterMs, isUsed, isNamed, fruitless) => {
    if (isUsed) given.pool.noteTargets(new Map([[KEY, { ...KEPT, isPlacing: true }]]));
    given.active = [{ order: { betslipId: isNamed ? ID : ('another' as BetslipId) } }];
    await given.advance(afterMs);
    given.pool.drop(ID);
    expect(given.rig.fruitless).toEqual(fruitless.map((each) => each.replace('  ', ` ${KEY} `)));
    expect([given.pool.open, given.changes]).toEqual([0, [[KEY, false]]]);
  });

  it('while we delete it has not come to nothing either, and an unknown one is none of ours', () => {
    given.pool.drop('another' as BetslipId);
    expect(given.pool.open).toBe(1);
    given.pool.delete(KEY, false);
    given.pool.drop(ID);
    expect([given.rig.fruitless, given.pool.open]).toEqual([[], 0]);
  });

  it('leaves its successor of the same market alone', async () => {
    given.pool.delete(KEY, false);
    given.pool.drop(ID);
    await given.open(HOME, { betslipId: SECOND_ID });
    await given.rig.take('deleteBetslip').answer();
    expect([given.pool.open, given.held?.state]).toEqual([1, 'open']);
  });

  it('bears fruit in a sweep once it was open for five seconds', async () => {
    await given.sweptAfter(4_999);
    expect(given.rig.fruitless).toEqual([]);
    await given.sweptAfter(1);
    expect(given.rig.fruitless).toEqual([`betslip ${KEY} lasted`]);
  });
});

describe('the facts for a plan', () => {
  it('name all betslips, the cap, and how long one is kept', async () => {
    await given.quoted();
    const { nowMs, held, idleMs, deletesFromMs } = given.pool.facts();
    expect([nowMs, held.length, deletesFromMs]).toEqual([0, 1, -Infinity]);
    expect(idleMs).toEqual({
      pinned: 20_000,
      used: 1_000,
      unused: given.rig.context.options.retryMs + 1_000,
    });
  });

  it('refuse what the account pauses after betslips that came to nothing, or lets it try one at a time', async () => {
    const none = { creating: 0, quoteless: 0, unproven: 0 };
    for (let round = 0; round < 2; round++) {
      await given.advance(10);
      given.rig.context.fruitless.failed(
        'betslip',
        { market: KEY, beganMs: given.rig.clock.monotonicMs() },
        'gone',
      );
      await given.advance(1);
    }
    const refused = (doubtful = none): boolean[] =>
      [KEY, 'another'].map((key) => given.pool.facts().refuses(key, doubtful));
    expect(refused()).toEqual([true, true]);
    await given.advance(1_000);
    expect(refused()).toEqual([true, false]);
    expect(refused({ ...none, unproven: 1 })).toEqual([true, true]);
  });
});

describe('betslips of earlier runs', () => {
  it('count against the day, and the youngest may still be open', async () => {
    const before = given.pool.budget;
    const pacedMs = Array.from({ length: 10 }, () => 190_000);
    given.pool.remember({ pacedMs, reserveMs: [180_000] });
    expect(given.recalled).toEqual([...pacedMs, 180_000]);
    expect(Math.ceil(before.pace - given.pool.budget.pace)).toBe(6);
    expect(Math.ceil(before.reserve - given.pool.budget.reserve)).toBe(1);
    expect(given.pool.isCrowded).toBe(true);
    await given.advance(4 * OPTIONS.lifeMs - 180_000 - 1);
    expect(given.pool.isCrowded).toBe(true);
    await given.advance(1);
    expect(given.pool.isCrowded).toBe(false);
  });
});
