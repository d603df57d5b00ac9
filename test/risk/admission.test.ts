import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SelectionId } from '../../src/domain/ids.ts';
import type { QuoteIntent } from '../../src/domain/quote-intent.ts';
import { admit, type Circumstances, type Targets } from '../../src/risk/admission.ts';
import { type ActiveAlarm, pull } from '../../src/risk/guards/alarm.ts';
import { widen } from '../../src/risk/guards/widen.ts';
import { ACCOUNT, type StateRecord, type TradingState } from '../../src/risk/states/trading-states.ts';
import { runs } from './support/share.ts';

const STATES: readonly TradingState[] = ['active', 'reducing', 'halted'];
const GIVES_WAY = [null, 'to this', 'to another'] as const;
const WHY = 'anna: she looks at it';

const stateOf = (state: TradingState): Circumstances['state'] => ({
  state,
  record: {
    state,
    by: 'anna',
    why: 'she looks at it',
    atMs: 0,
    scope: ACCOUNT,
    latched: false,
  } satisfies StateRecord,
});

const alarmOf = (guard: ActiveAlarm['guard'], widenLogOdds: number | null): ActiveAlarm => ({
  ...pull(guard, ACCOUNT, 10, `why ${guard}`),
  ...(widenLogOdds === null ? {} : { effect: 'widen', widenLogOdds }),
  sinceMs: 0,
  untilMs: 1,
});

const ALARMS: readonly (readonly ActiveAlarm[])[] = [
  [],
  [alarmOf('price_jump', null)],
  [alarmOf('toxicity', 0.1)],
  [alarmOf('toxicity', 0.1), alarmOf('clock_offset', 0.3), alarmOf('price_jump', 0.2)],
  [alarmOf('toxicity', 0.2), alarmOf('clock_offset', null), alarmOf('price_jump', null)],
];

interface Case {
  readonly intent: QuoteIntent;
  readonly circumstances: Circumstances;
}

const cases: fc.Arbitrary<readonly Case[]> = fc
  .array(
    fc.record({
      stake: fc.integer({ min: 1, max: 60 }),
      state: fc.constantFrom(...STATES, 'active' as const, 'active' as const),
      alarms: fc.constantFrom(...ALARMS, [], []),
      givesWay: fc.constantFrom(...GIVES_WAY),
      direction: fc.constantFrom('for' as const, 'against' as const),
      /** No guard, state or order that goes first spares takes, or bets of hedges. */
      terms: fc.constantFrom<Partial<QuoteIntent>>(
        {},
        { take: 'a' },
        { take: 'h/0', hedge: 'h' },
        { mode: 'dark' },
      ),
    }),
    { maxLength: 8 },
  )
  .map((all) =>
    all.map(({ stake, state, alarms, givesWay, direction, terms }, level) => ({
      intent: {
        selectionId: 'fb|2026-11-21,10,20|h' as SelectionId,
        direction,
        level,
        tick: 120 + level,
        stakeMicros: stake * 1e6,
        ...terms,
      },
      circumstances: { state: stateOf(state), alarms, givesWay },
    })),
  );

/** Quotes reduce until those let through have this stake together: the order in which they are judged decides. */
const ROOM = 100e6;

function room(): Targets & { taken(): number } {
  let taken = 0;
  return {
    reduces: ({ stakeMicros }) => taken + stakeMicros <= ROOM,
    letThrough: ({ stakeMicros }) => void (taken += stakeMicros),
    taken: () => taken,
  };
}

const judged = (all: readonly Case[]) => {
  const targets = room();
  let created = 0;
  const circumstances = new Map(all.map((each) => [each.intent, each.circumstances]));
  const admission = admit(
    all.map(({ intent }) => intent),
    (intent) => circumstances.get(intent) as Circumstances,
    () => (created++, targets),
  );
  return { admission, created, taken: targets.taken() };
};

/** What must become of a quote, as far as it does not depend on the others; null if it rests. */
function blockOf({ circumstances: { state, alarms, givesWay } }: Case, reduces: boolean): string | null {
  if (state.state === 'halted') return `state halted by ${WHY}`;
  if (state.state === 'reducing' && !reduces) return `state reducing_only by ${WHY}`;
  if (givesWay !== null && !reduces)
    return 'state gives_way an order that reduces risk on the event goes first';
  const pulls = alarms.find(({ effect }) => effect === 'pull');
  return pulls === undefined ? null : `guard ${pulls.guard} ${pulls.why}`;
}

const isFree = ({ circumstances: { state, givesWay } }: Case): boolean =>
  state.state !== 'reducing' && givesWay === null;

/** The same by three passes over the list: unconditional quotes, then those to which others give way, then the rest. */
function expected(all: readonly Case[]): readonly (string | null)[] {
  const blocks = new Map<Case, string | null>();
  let taken = 0;
  const pass = (among: readonly Case[]): void => {
    for (const each of among) {
      const { stakeMicros } = each.intent;
      const block = blockOf(each, isFree(each) || taken + stakeMicros <= ROOM);
      if (block === null) taken += stakeMicros;
      blocks.set(each, block);
    }
  };
  const isFirst = (each: Case): boolean => each.circumstances.givesWay === 'to this';
  pass(all.filter((each) => isFree(each)));
  pass(all.filter((each) => !isFree(each) && isFirst(each)));
  pass(all.filter((each) => !isFree(each) && !isFirst(each)));
  return all.map((each) => blocks.get(each) ?? null);
}

describe('admission', () => {
  it('judges free quotes first, then the order to which others give way, then the others, each in the order wanted', () => {
    fc.assert(
      fc.property(cases, (all) => {
        const { admission, taken } = judged(all);
        const blocks = expected(all);
        const resting = all.filter((_, at) => blocks[at] === null);
        expect(admission.quotes.map(({ level }) => level)).toEqual(resting.map(({ intent }) => intent.level));
        expect(
          admission.blocked.map(({ intent, stage, code, message }) => [
            intent,
            `${stage} ${code} ${message}`,
          ]),
        ).toEqual(all.flatMap(({ intent }, at) => (blocks[at] === null ? [] : [[intent, blocks[at]]])));
        // Only where something is limited is anything counted, and then whatever rests.
        const isLimited = all.some((each) => !isFree(each));
        const rests = resting.reduce((sum, { intent }) => sum + intent.stakeMicros, 0);
        expect(taken).toBe(isLimited ? rests : 0);
      }),
      runs(1_000),
    );
  });

  it('widens what rests by the greatest of its alarms, once', () => {
    fc.assert(
      fc.property(cases, (all) => {
        const { admission } = judged(all);
        const of = new Map(all.map((each) => [each.intent.level, each]));
        for (const quote of admission.quotes) {
          const { intent, circumstances } = of.get(quote.level) as Case;
          const most = Math.max(0, ...circumstances.alarms.map(({ widenLogOdds }) => widenLogOdds));
          expect(quote).toEqual(widen(intent, most));
          if (most === 0) expect(quote).toBe(intent);
        }
      }),
      runs(300),
    );
  });

  it('judges and counts each quote as it would rest: as far away as its alarms push it', () => {
    fc.assert(
      fc.property(cases, (all) => {
        const looked: QuoteIntent[] = [];
        const targets: Targets = {
          reduces: (quote) => (looked.push(quote), true),
          letThrough: (quote) => void looked.push(quote),
        };
        const circumstances = new Map(all.map((each) => [each.intent, each.circumstances]));
        admit(
          all.map(({ intent }) => intent),
          (intent) => circumstances.get(intent) as Circumstances,
          () => targets,
        );
        for (const quote of looked) {
          const { intent, circumstances: its } = all.find(
            (each) => each.intent.level === quote.level,
          ) as Case;
          expect(quote).toEqual(
            widen(intent, Math.max(0, ...its.alarms.map(({ widenLogOdds }) => widenLogOdds))),
          );
        }
      }),
      runs(300),
    );
  });

  it('looks at what is at stake only where a quote must reduce, and once for all', () => {
    const [free, other] = [stateOf('active'), stateOf('reducing')];
    const caseOf = (level: number, circumstances: Circumstances): Case => ({
      intent: { selectionId: 'x' as SelectionId, direction: 'for', tick: 120, stakeMicros: 1e6, level },
      circumstances,
    });
    const none = { state: free, alarms: [], givesWay: null };
    expect(judged([caseOf(0, none), caseOf(1, { ...none, state: stateOf('halted') })]).created).toBe(0);
    expect(judged([caseOf(0, { ...none, state: other }), caseOf(1, { ...none, state: other })]).created).toBe(
      1,
    );
    expect(judged([caseOf(0, none), caseOf(1, { ...none, givesWay: 'to another' })]).created).toBe(1);
  });
});
