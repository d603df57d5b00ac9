/** The hedges of two events over time, beside a plain list of what became of each. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { EventName } from '../../../src/domain/events.ts';
import { eventId } from '../../../src/domain/ids.ts';
import { ORDER_STATES, type OrderState } from '../../../src/domain/lifecycle.ts';
import { Hedges } from '../../../src/engine/hedging/hedges.ts';
import type { HedgeBet } from '../../../src/engine/hedging/terms.ts';
import { FIXTURE, HOME, liveOrder } from '../../market/support.ts';

const OTHER: EventName = { ...FIXTURE, eventId: eventId('2026-11-21,7,8') };
const EVENTS = [FIXTURE, OTHER];
/** Both events may have a hedge of each id. */
const IDS = ['a', 'b', 'ab', 'a/0'];

const BET: HedgeBet = {
  selectionId: HOME,
  direction: 'against',
  priceKind: 'lay-for',
  tick: 100,
  way: 'take',
  stakeMicros: 10e6,
};

const named = { event: fc.constantFrom(...EVENTS), id: fc.constantFrom(...IDS) };
const made = {
  ...named,
  bets: fc.integer({ min: 1, max: 3 }),
  lifeMs: fc.constantFrom(1_000, 1_001, 30_000),
};
const act = fc.oneof(
  fc.record({ kind: fc.constant('command' as const), ...made, isBeside: fc.boolean() }),
  fc.record({ kind: fc.constant('ask' as const), ...made }),
  fc.record({
    kind: fc.constant('want' as const),
    event: fc.constantFrom(...EVENTS),
    ids: fc.subarray(IDS),
  }),
  fc.record({
    kind: fc.constant('order' as const),
    ...named,
    bet: fc.integer({ min: 0, max: 3 }),
    state: fc.constantFrom(...ORDER_STATES),
    filledMicros: fc.constantFrom(0, 4e6),
  }),
  fc.record({ kind: fc.constant('fill of an earlier run' as const), ...named }),
  fc.record({ kind: fc.constant('over' as const), event: fc.constantFrom(...EVENTS) }),
  fc.constant({ kind: 'kill' as const }),
  fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(1, 999, 1_000, 29_000) }),
);
type Act = typeof act extends fc.Arbitrary<infer A> ? A : never;

interface Known {
  readonly event: EventName;
  readonly id: string;
  readonly lifeMs: number;
  readonly isOfStrategy: boolean;
  untilMs: number;
  readonly bets: { state: 'wanted' | 'sent' | 'ended'; filledMicros: number }[];
}

/** A terminal state ends a bet, and any other may still match it. */
const OVER: readonly OrderState[] = ['closed', 'refused', 'absent'];

class Plain {
  readonly all: Known[] = [];
  readonly made: { event: EventName; id: string }[] = [];

  on(event: EventName): readonly Known[] {
    return this.all.filter((each) => each.event === event);
  }

  end(which: (hedge: Known) => boolean, nowMs: number): void {
    for (const hedge of this.all.filter(which)) hedge.untilMs = Math.min(hedge.untilMs, nowMs);
  }

  wasMade(event: EventName, id: string): boolean {
    return this.made.some((each) => each.event === event && each.id === id);
  }

  apply(each: Act, hedges: Hedges, nowMs: number): void {
    if (each.kind === 'command' || each.kind === 'ask') this.#make(each, hedges, nowMs);
    else if (each.kind === 'want') {
      hedges.keepWanted(each.event, new Set(each.ids), nowMs);
      this.end(({ event, id, isOfStrategy }) => {
        return event === each.event && isOfStrategy && !each.ids.includes(id);
      }, nowMs);
    } else if (each.kind === 'kill') {
      hedges.endCommanded(nowMs);
      this.end(({ isOfStrategy }) => !isOfStrategy, nowMs);
    } else if (each.kind === 'over') {
      hedges.forget(each.event);
      this.made.splice(0, Infinity, ...this.made.filter(({ event }) => event !== each.event));
    } else if (each.kind === 'fill of an earlier run') {
      const { event, id } = each;
      const take = { id: `${id}/0`, hedge: id, fairProbability: null, reduces: true };
      hedges.onFill({ ...event, take });
      this.made.push({ event, id });
    } else if (each.kind === 'order') this.#order(each, hedges);
  }

  #make(each: Extract<Act, { kind: 'command' | 'ask' }>, hedges: Hedges, nowMs: number): void {
    const { event, id, lifeMs } = each;
    // Whoever asks for a hedge does not ask for it again.
    if (this.wasMade(event, id) || this.on(event).some((known) => known.id === id)) return;
    const bets = Array.from({ length: each.bets }, () => BET);
    const order = { id, event, bets, lifeMs };
    if (each.kind === 'ask') hedges.takeOfStrategy(order, nowMs);
    else {
      hedges.take(each.isBeside ? { ...order, isBeside: true } : order, nowMs);
      if (!each.isBeside) this.end((known) => known.event === event, nowMs);
    }
    const states = bets.map(() => ({ state: 'wanted' as const, filledMicros: 0 }));
    const isOfStrategy = each.kind === 'ask';
    this.all.push({ event, id, lifeMs, isOfStrategy, untilMs: nowMs + lifeMs, bets: states });
    this.made.push({ event, id });
  }

  #order({ event, id, bet, state, filledMicros }: Extract<Act, { kind: 'order' }>, hedges: Hedges): void {
    const take = { id: `${id}/${bet}`, hedge: id, fairProbability: null, reduces: true };
    hedges.onOrder(liveOrder({ ...event, take, state, filledMicros }));
    const known = this.on(event).find((each) => each.id === id)?.bets[bet];
    if (known !== undefined)
      Object.assign(known, { state: OVER.includes(state) ? 'ended' : 'sent', filledMicros });
  }
}

it('are wanted, at work, made and told as each event, each strategy and each kill has left them', () => {
  let wanted = 0;
  fc.assert(
    fc.property(fc.array(act, { maxLength: 40, size: 'max' }), (acts) => {
      const [hedges, plain] = [new Hedges(), new Plain()];
      let nowMs = 1_000;
      for (const each of acts) {
        if (each.kind === 'wait') nowMs += each.ms;
        plain.apply(each, hedges, nowMs);
        for (const event of EVENTS) {
          const intents = hedges.intentsOn(event, nowMs);
          wanted += intents.length;
          expect(intents.map(({ take, hedge }) => [take, hedge])).toEqual(
            plain
              .on(event)
              .filter(({ untilMs }) => nowMs < untilMs)
              .flatMap(({ id, bets }) =>
                bets.flatMap(({ state }, at) => (state === 'ended' ? [] : [[`${id}/${at}`, id]])),
              ),
          );
          expect(hedges.isAtWorkOn(event, nowMs)).toBe(
            plain
              .on(event)
              .some(({ bets, untilMs }) =>
                bets.some(({ state }) => state === 'sent' || (state === 'wanted' && nowMs < untilMs)),
              ),
          );
          for (const id of IDS) expect(hedges.wasMade(event, id)).toBe(plain.wasMade(event, id));
        }
        for (const id of IDS) {
          const first = plain.all.find((known) => known.id === id);
          const told = hedges.progressOf(id);
          expect(told?.untilMs).toBe(first?.untilMs);
          expect(told?.bets.map(({ state, filledMicros }) => ({ state, filledMicros }))).toEqual(first?.bets);
          expect(told?.lifeS).toBe(first && Math.ceil(first.lifeMs / 1_000));
          expect(told?.isOfStrategy).toBe(first?.isOfStrategy);
        }
      }
    }),
    { numRuns: 500 },
  );
  expect(wanted).toBeGreaterThan(1_000);
});

it('are remembered a hundred at a time, and an id that was made stays so', () => {
  const hedges = new Hedges();
  for (let at = 0; at < 101; at++)
    hedges.take({ id: `${at}`, event: FIXTURE, bets: [BET], lifeMs: 1e6, isBeside: true }, at);
  expect([hedges.progressOf('0'), hedges.progressOf('1')?.id, hedges.progressOf('100')?.id]).toEqual([
    null,
    '1',
    '100',
  ]);
  expect(hedges.wasMade(FIXTURE, '0')).toBe(true);
  expect(hedges.intentsOn(FIXTURE, 200)).toHaveLength(100);
});
