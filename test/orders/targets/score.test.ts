import { describe, expect, it } from 'vitest';
import type { PlayState, Score } from '../../../src/domain/events.ts';
import { type Fact, factOf } from '../../../src/orders/journal/records.ts';
import { type OrderId, type SelectionId, sport } from '../../../src/domain/ids.ts';
import { EVENT_NAME, OrderManagerRig, quote, SELECTION } from '../../support/order-manager-rig.ts';

type Intended = Extract<Fact, { kind: 'order_intended' }>;

const placed = (rig: OrderManagerRig) =>
  rig.store.records
    .map(factOf)
    .filter((fact): fact is Intended => fact.kind === 'order_intended')
    .map(({ place }) => place);
const waitingOf = (rig: OrderManagerRig): readonly string[] =>
  rig.manager.status().waiting.map(({ code, detail }) => `${code} ${detail ?? ''}`.trim());

/** A manager whose event is in play, and the state of play, which may change. */
async function inPlay(score: Score | null, inRunning = true) {
  const play: { now: PlayState } = { now: { inRunning, score } };
  const rig = new OrderManagerRig({ play: () => play.now, auditEveryMs: 0 });
  await rig.start();
  const scores = (known: Score | null): void => void (play.now = { inRunning: true, score: known });
  return { rig, play, scores };
}

const playing = (score: Score | null): PlayState => ({ inRunning: true, score });
const BEFORE: PlayState = { inRunning: false, score: null };

describe('an order in play', () => {
  it('asserts the score of the view that decided it, and lives for a short time', async () => {
    const { rig } = await inPlay([1, 0]);
    rig.decide([1, 0], quote());
    await rig.advance(2_000);
    expect(placed(rig)).toMatchObject([{ currentScore: [1, 0], durationS: 15 }]);
    expect(rig.venue.open()).toHaveLength(1);
  });

  it('asserts nothing before the start, and lives as configured', async () => {
    const { rig } = await inPlay(null, false);
    rig.decide(null, quote());
    await rig.advance(2_000);
    expect(placed(rig)).toMatchObject([{ durationS: 60 }]);
    expect(placed(rig)[0]).not.toHaveProperty('currentScore');
  });

  it.each<readonly [of: string, inRunning: boolean, score: Score | null, durationS: number]>([
    ['fb', true, [1, 0], 15],
    ['fb', false, [0, 0], 60],
    ['fb', false, null, 60],
    ['tennis', true, null, 15],
    ['tennis', true, [1, 0], 15],
    ['tennis', false, [0, 0], 60],
  ])('lives by the state of play alone: %s, in play %s, at %j', async (of, inRunning, score, durationS) => {
    const { rig } = await inPlay(score, inRunning);
    const selectionId = SELECTION.replace('fb|', `${of}|`) as SelectionId;
    rig.manager.setTargets(
      { ...EVENT_NAME, sport: sport(of) },
      'a strategy',
      [quote({ selectionId })],
      score,
    );
    await rig.advance(2_000);
    expect(placed(rig)).toMatchObject([{ sport: of, durationS }]);
  });

  it('keeps a shorter life that its strategy wants', async () => {
    const { rig } = await inPlay([0, 0]);
    rig.decide([0, 0], quote({ lifetimeS: 8 }));
    await rig.advance(2_000);
    expect(placed(rig)[0]?.durationS).toBe(8);
  });

  it('is not placed while the score is not known', async () => {
    const { rig, scores } = await inPlay(null);
    rig.decide(null, quote());
    await rig.advance(2_000);
    expect([placed(rig), waitingOf(rig)]).toEqual([[], ['score_unknown']]);
    scores([0, 0]);
    rig.decide([0, 0], quote());
    await rig.advance(2_000);
    expect(placed(rig)).toMatchObject([{ currentScore: [0, 0] }]);
  });

  it('waits for a decision if the score is another one by now, and is never refreshed', async () => {
    const { rig } = await inPlay([1, 0]);
    rig.decide([0, 0], quote());
    await rig.advance(5_000);
    expect([placed(rig), waitingOf(rig)]).toEqual([[], ['score_changed 0-0, now 1-0']]);
    rig.decide([1, 0], quote());
    await rig.advance(2_000);
    expect(placed(rig)).toMatchObject([{ currentScore: [1, 0] }]);
    expect(rig.manager.status().missedWakes).toBe(0);
  });

  it('asserts no score of an earlier decision: its own view must have known it', async () => {
    const { rig } = await inPlay([1, 0]);
    rig.decide([1, 0]);
    rig.decide(null, quote());
    await rig.advance(2_000);
    expect([placed(rig), waitingOf(rig)]).toEqual([[], ['score_changed not known, now 1-0']]);
  });

  it('is not placed in play if it was decided before the start', async () => {
    const { rig } = await inPlay([0, 0]);
    rig.decide(null, quote());
    await rig.advance(2_000);
    expect(waitingOf(rig)).toEqual(['score_changed not known, now 0-0']);
  });

  it.each<readonly [what: string, decided: PlayState, now: PlayState, sent: number]>([
    ['the score stands', playing([0, 0]), playing([0, 0]), 1],
    ['a goal is known', playing([0, 0]), playing([0, 1]), 0],
    ['a goal was annulled', playing([1, 0]), playing([0, 0]), 0],
    ['the score is not known any more', playing([1, 0]), playing(null), 0],
    ['the event has started', BEFORE, playing([0, 0]), 0],
    ['the event has started, and its score is not known', BEFORE, playing(null), 0],
    ['the event has still not started', BEFORE, BEFORE, 1],
  ])('is judged again once its connection is there, when %s', async (_, decided, now, sent) => {
    const { rig, play } = await inPlay(decided.score, decided.inRunning);
    rig.venue.fault = (method) => (method === 'placeOrder' ? { kind: 'slow-connection', ms: 2_000 } : null);
    rig.decide(decided.score, quote());
    while (rig.states().length === 0) await rig.advance(10);
    // The next decision has come, and wants the same order at what is known by then.
    play.now = now;
    rig.decide(now.score, quote());
    await rig.advance(2_500);
    expect(rig.venue.held.size).toBe(sent);
  });

  it('needs no score, and asserts none, in a sport other than football', async () => {
    const { rig } = await inPlay(null);
    const tennis = { ...EVENT_NAME, sport: sport('tennis') };
    const selection = SELECTION.replace('fb|', 'tennis|') as SelectionId;
    rig.manager.setTargets(tennis, 'a strategy', [quote({ selectionId: selection })], null);
    await rig.advance(2_000);
    expect([placed(rig).map(({ sport: of }) => of), waitingOf(rig)]).toEqual([['tennis'], []]);
    expect(placed(rig)[0]).not.toHaveProperty('currentScore');
  });

  it('is not repeated after a goal, though the outcome of its first request is unknown', async () => {
    const { rig, scores } = await inPlay([0, 0]);
    let faults = 1;
    rig.venue.fault = (method) => (method === 'placeOrder' && faults-- > 0 ? { kind: 'lost' } : null);
    rig.decide([0, 0], quote());
    await rig.advance(1_000);
    scores([1, 0]);
    rig.decide([1, 0], quote());
    await rig.advance(60_000);
    const asserted = placed(rig).map(
      ({ requestUuid, currentScore }) => `${requestUuid} ${currentScore?.join('-')}`,
    );
    expect(new Set(asserted).size).toBe(new Set(placed(rig).map(({ requestUuid }) => requestUuid)).size);
    expect(placed(rig).filter(({ currentScore }) => currentScore?.[0] === 0)).toHaveLength(1);
  });
});

describe('a bet in play', () => {
  it('keeps the score at which it was matched, over a restart', async () => {
    const { rig, scores } = await inPlay([1, 0]);
    rig.decide([1, 0], quote());
    await rig.advance(2_000);
    rig.venue.fill([...rig.venue.held.keys()][0] as OrderId, 10_000_000);
    await rig.advance(10);
    expect(rig.fills).toMatchObject([{ score: [1, 0] }]);
    scores([2, 0]);
    await rig.restart();
    expect(rig.rememberedFills).toMatchObject([{ score: [1, 0] }]);
  });

  it('has none where none is known', async () => {
    const { rig } = await inPlay(null, false);
    rig.decide(null, quote());
    await rig.advance(2_000);
    rig.venue.fill([...rig.venue.held.keys()][0] as OrderId, 10_000_000);
    await rig.advance(10);
    expect(rig.fills).toHaveLength(1);
    expect(rig.fills[0]).not.toHaveProperty('score');
  });
});
