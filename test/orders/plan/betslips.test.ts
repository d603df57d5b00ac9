import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type BetslipFacts,
  type BetslipNeed,
  type BetslipPlan,
  type BetslipTarget,
  type HeldBetslip,
  planBetslips,
} from '../../../src/orders/plan/betslips.ts';
import { passingPlaces, type Pins } from '../../../src/orders/plan/pins.ts';

const NOW_MS = 100_000;

const target = (key: string, over: Partial<BetslipTarget> = {}): BetslipTarget => ({
  key,
  selection: key,
  value: 1,
  need: 'order',
  reduces: false,
  isSendable: true,
  ...over,
});

const betslip = (key: string, over: Partial<HeldBetslip> = {}): HeldBetslip => ({
  key,
  state: 'open',
  value: 1,
  hasQuote: true,
  isUsed: false,
  boreFruit: true,
  waitsAsNormal: false,
  readyMs: NOW_MS,
  unwantedMs: Infinity,
  restsUntilMs: -Infinity,
  ...over,
});

const facts = (over: Partial<BetslipFacts> = {}): BetslipFacts => ({
  nowMs: NOW_MS,
  held: [],
  claims: new Map(),
  refuses: () => false,
  deletesFromMs: -Infinity,
  cap: { value: 10, isRising: false, resting: false },
  budget: { pace: 100, burst: 100, reserve: 20, goesSoon: { normal: true, reducing: true } },
  pins: { pinned: new Set(), rotating: new Set(), nextMs: -Infinity },
  idleMs: { pinned: 5_000, used: 1_000, unused: 3_000 },
  ...over,
});

const pinsOf = (pinned: readonly string[], rotating: readonly string[]): Pins => ({
  pinned: new Set(pinned),
  rotating: new Set(rotating),
  nextMs: Infinity,
});

const opened = ({ open }: BetslipPlan): string[] => open.map(({ key }) => key);
const reasons = (plan: BetslipPlan): Record<string, string> => Object.fromEntries(plan.reasons);

describe('a market without a betslip', () => {
  it('gets one if its order could be sent', () => {
    const plan = planBetslips([target('a'), target('b', { isSendable: false })], facts());
    expect([opened(plan), reasons(plan)]).toEqual([['a'], {}]);
  });

  it.each(['next', 'placing'] as const)('gets none for an order that is there: %s', (need) => {
    expect(opened(planBetslips([target('a', { need })], facts()))).toEqual([]);
  });

  it('waits while its betslips, or all, are refused', () => {
    const plan = planBetslips([target('a'), target('b')], facts({ refuses: (key) => key === 'a' }));
    expect([opened(plan), reasons(plan)]).toEqual([['b'], { a: 'betslip_refused' }]);
  });

  it('waits for the outcome of another while only one at a time may be tried', () => {
    const refuses: BetslipFacts['refuses'] = (_, { creating }) => creating > 0;
    const plan = planBetslips([target('a'), target('b', { value: 2 })], facts({ refuses }));
    expect([opened(plan), reasons(plan)]).toEqual([['b'], { a: 'betslip_refused' }]);
  });

  it.each([
    ['betslip_pace', { pace: 0.9, goesSoon: { normal: true, reducing: true } }],
    ['betslip_budget', { pace: 100, goesSoon: { normal: false, reducing: true } }],
  ] as const)('waits for the budget, unless it reduces: %s', (code, over) => {
    const budget = { ...facts().budget, ...over };
    const plan = planBetslips([target('a'), target('b', { reduces: true })], facts({ budget }));
    expect([plan.open, reasons(plan)]).toMatchObject([[{ key: 'b', isReserve: true }], { a: code }]);
  });

  it('waits after a create was refused because of the cap', () => {
    const plan = planBetslips([target('a')], facts({ cap: { value: 10, isRising: false, resting: true } }));
    expect(reasons(plan)).toEqual({ a: 'betslip_cap' });
  });
});

it('serves both sides of a selection before a side of another of equal worth', () => {
  const sides = ['against,a', 'against,h', 'for,a', 'for,h'];
  const wanted = sides.map((key) => target(key, { selection: key.slice(-1) }));
  const rotating = facts({ pins: pinsOf([], sides), cap: { value: 2, isRising: false, resting: false } });
  expect(opened(planBetslips(wanted, rotating))).toEqual(['against,a', 'for,a']);
  const pinned = facts({ cap: { value: 4, isRising: false, resting: false } });
  const more = planBetslips([...wanted, target('for,x', { selection: 'x' })], pinned);
  expect([...more.pins.pinned]).toEqual(['against,a', 'for,a']);
});

describe('the cap', () => {
  const full = { cap: { value: 2, isRising: false, resting: false } };

  it('makes the least valuable betslip give way to a better market', () => {
    const held = [betslip('a', { value: 3 }), betslip('b', { value: 2 })];
    const pins = pinsOf(['a', 'b', 'c'], []);
    const wanted = [target('a', { need: 'next', value: 3 }), target('b', { need: 'next', value: 2 })];
    const better = planBetslips([...wanted, target('c', { value: 5 })], facts({ ...full, held, pins }));
    expect(better.delete).toEqual([{ key: 'b', why: 'room', for: { key: 'c', isPinned: true } }]);
    expect(reasons(better)).toEqual({ c: 'betslip_cap' });
    const worse = planBetslips([...wanted, target('c', { value: 1 })], facts({ ...full, held, pins }));
    expect(worse.delete).toEqual([]);
  });

  it('makes one place at a time, and waits for the turn of failed deletions', () => {
    const held = [betslip('a', { state: 'deleting' }), betslip('b')];
    const wanted = [target('c', { value: 5 }), target('d', { value: 6 })];
    expect(planBetslips(wanted, facts({ ...full, held })).delete).toEqual([]);
    const open = [betslip('a'), betslip('b')];
    expect(planBetslips(wanted, facts({ ...full, held: open })).delete).toHaveLength(1);
    expect(planBetslips(wanted, facts({ ...full, held: open, deletesFromMs: NOW_MS + 1 })).delete).toEqual(
      [],
    );
  });

  it('prefers to give up a betslip that no target wants', () => {
    const held = [betslip('a', { value: 1 }), betslip('b', { value: 9, unwantedMs: NOW_MS - 1_001 })];
    const wanted = [target('a', { need: 'next' }), target('c', { value: 5 })];
    const plan = planBetslips(wanted, facts({ ...full, held, pins: pinsOf(['a', 'c'], []) }));
    expect(plan.delete).toMatchObject([{ key: 'b', why: 'room' }]);
  });
});

describe('rotating markets', () => {
  const pins = pinsOf(['p'], ['r1', 'r2', 'r3']);

  it('take turns by value and waiting time', () => {
    const cap = { value: 3, isRising: false, resting: false };
    const held = [betslip('p'), betslip('r3')];
    const wanted = [target('p', { need: 'next' }), target('r1', { value: 2 }), target('r2', { value: 3 })];
    const plan = planBetslips([...wanted, target('r3', { need: 'placing' })], facts({ held, pins, cap }));
    expect([opened(plan), reasons(plan)]).toEqual([['r2'], { r1: 'betslip_turn' }]);
    expect([...plan.claims.keys()]).toEqual(['r1']);
    const claims = new Map([['r1', { sinceMs: NOW_MS - 600_000, lastMs: NOW_MS }]]);
    expect(opened(planBetslips(wanted, facts({ held, pins, cap, claims })))).toEqual(['r1']);
  });

  it('give up the place that one of them could not use for long', () => {
    const cap = { value: 3, isRising: false, resting: false };
    const held = [betslip('r2', { readyMs: NOW_MS - 10_001 }), betslip('r3', { readyMs: NOW_MS - 20_000 })];
    const wanted = ['r1', 'r2', 'r3'].map((key) => target(key));
    const plan = planBetslips(wanted, facts({ held, pins, cap }));
    expect(plan.delete).toEqual([{ key: 'r3', why: 'turn', for: { key: 'r1', isPinned: false } }]);
  });

  it('leave a part of the burst to pinned markets', () => {
    const budget = { ...facts().budget, pace: 19.9, burst: 100 };
    const plan = planBetslips([target('p'), target('r1')], facts({ pins, budget }));
    expect([opened(plan), reasons(plan)]).toEqual([['p'], { r1: 'betslip_pace' }]);
  });

  it('keep a betslip only for an order that is not placed yet', () => {
    const wanted = (['order', 'placing', 'next'] as const).map((need, at) => target(`r${at + 1}`, { need }));
    expect([...planBetslips(wanted, facts({ pins })).keep.keys()]).toEqual(['r1', 'r2']);
  });
});

describe('an open betslip', () => {
  it('is kept while a pinned market has an order', () => {
    const plan = planBetslips([target('a', { need: 'next', value: 7 })], facts({ held: [betslip('a')] }));
    expect([...plan.keep]).toEqual([['a', { value: 7, isPlacing: false, servesOrder: true }]]);
    expect(plan.delete).toEqual([]);
  });

  it.each([
    ['pinned', {}, 5_000],
    ['rotating and used', { isUsed: true }, 1_000],
    ['rotating and unused', {}, 3_000],
  ] as const)('is deleted some time after no target wants it: %s', (kind, over, ms) => {
    const pins = kind === 'pinned' ? pinsOf(['a'], []) : pinsOf([], ['a']);
    const deletedAfter = (forMs: number): unknown => {
      const held = [betslip('a', { ...over, unwantedMs: NOW_MS - forMs })];
      return planBetslips([], facts({ held, pins })).delete;
    };
    expect(deletedAfter(ms)).toEqual([]);
    expect(deletedAfter(ms + 1)).toEqual([{ key: 'a', why: 'idle', for: null }]);
  });

  it('is not deleted while the last failure is recent', () => {
    const held = [betslip('a', { unwantedMs: -Infinity, restsUntilMs: NOW_MS + 1 })];
    expect(planBetslips([], facts({ held })).delete).toEqual([]);
  });

  it('is requested again with priority once its order reduces', () => {
    const held = [
      betslip('a', { state: 'creating', waitsAsNormal: true }),
      betslip('b', { state: 'creating' }),
    ];
    const wanted = [target('a', { reduces: true }), target('b', { reduces: true })];
    expect(planBetslips(wanted, facts({ held })).withdraw).toEqual(['a']);
  });
});

const needs = fc.constantFrom<BetslipNeed>('order', 'order', 'order', 'placing', 'next');
const targets = fc.uniqueArray(
  fc.record({
    key: fc.integer({ min: 0, max: 40 }).map((n) => `m${n}`),
    selection: fc.constantFrom('s', 't', 'u'),
    value: fc.integer({ min: 0, max: 1_000 }),
    need: needs,
    reduces: fc.boolean(),
    isSendable: fc.nat(4).map((n) => n > 0),
  }),
  { selector: ({ key }) => key, maxLength: 40 },
);
const slots = fc.uniqueArray(
  fc.record({
    key: fc.integer({ min: 0, max: 40 }).map((n) => `m${n}`),
    state: fc.constantFrom<HeldBetslip['state']>('creating', 'open', 'open', 'open', 'deleting'),
    value: fc.integer({ min: 0, max: 1_000 }),
    hasQuote: fc.boolean(),
    isUsed: fc.boolean(),
    boreFruit: fc.boolean(),
    waitsAsNormal: fc.boolean(),
    readyMs: fc.constantFrom(Infinity, NOW_MS, NOW_MS - 20_000),
    unwantedMs: fc.constantFrom(Infinity, NOW_MS, NOW_MS - 2_000, NOW_MS - 9_000),
    restsUntilMs: fc.constantFrom(-Infinity, NOW_MS + 1_000),
  }),
  { selector: ({ key }) => key, maxLength: 20 },
);
const given = fc
  .record({
    held: slots,
    cap: fc.record({ value: fc.integer({ min: 1, max: 30 }), isRising: fc.boolean(), resting: fc.boolean() }),
    budget: fc.record({
      pace: fc.double({ min: -2, max: 30, noNaN: true }),
      burst: fc.integer({ min: 1, max: 50 }),
      reserve: fc.double({ min: 0, max: 8, noNaN: true }),
      goesSoon: fc.constantFrom(
        { normal: true, reducing: true },
        { normal: false, reducing: true },
        { normal: false, reducing: false },
      ),
    }),
  })
  .map((drawn) => facts(drawn));

/** Several targets of a market, which share its selection. */
const sharing = fc
  .tuple(targets, fc.array(fc.nat(), { maxLength: 30 }), targets)
  .map(([first, picks, others]) => [
    ...first,
    ...picks.flatMap((pick, at) => {
      const [like, other] = [first[pick % first.length], others[at]];
      return like === undefined || other === undefined
        ? []
        : [{ ...other, key: like.key, selection: like.selection }];
    }),
  ]);

describe('several targets of a market', () => {
  const NEEDS = ['order', 'placing', 'next'] as const;

  it.each(NEEDS.flatMap((first) => NEEDS.map((second) => [first, second] as const)))(
    'keep what each needs, in any order: %s, %s',
    (first, second) => {
      const held = [betslip('a', { unwantedMs: NOW_MS - 9_000, readyMs: NOW_MS - 20_000 })];
      const better = target('b', { value: 9 });
      const cap = { value: 1, isRising: false, resting: false };
      const wanted = [first, second].map((need) => target('a', { need, isSendable: false }));
      const plan = planBetslips([...wanted, better], facts({ held, cap }));
      const turned = planBetslips([better, ...wanted.toReversed()], facts({ held, cap }));
      expect(plan).toEqual(turned);
      if (first === 'placing' || second === 'placing') expect(plan.delete).toEqual([]);
      else expect(plan.delete).toMatchObject([{ key: 'a' }]);
    },
  );

  it('count together: the highest value, one that waits, one that waits and reduces', () => {
    const wanted = (over: Partial<BetslipTarget>) => [target('a', over), target('a', { isSendable: false })];
    const cap = { value: 1, isRising: false, resting: false };
    for (const turned of [false, true]) {
      const first = (over: Partial<BetslipTarget>): string[] => {
        const both = turned ? wanted(over).toReversed() : wanted(over);
        return opened(planBetslips([target('b', { value: 2 }), ...both], facts({ cap })));
      };
      expect(first({})).toEqual(['b']);
      expect(first({ value: 3 })).toEqual(['a']);
      expect(first({ reduces: true })).toEqual(['a']);
      expect(first({ reduces: true, isSendable: false })).toEqual(['b']);
      expect(first({ value: 3, isSendable: false })).toEqual(['b']);
    }
  });

  it('give the same plan in any order', () => {
    fc.assert(
      fc.property(sharing, given, (wanted, from) => {
        const plan = planBetslips(wanted, from);
        const again = planBetslips([...wanted].reverse(), { ...from, pins: plan.pins });
        expect([again.open, again.delete, reasons(again)]).toEqual([plan.open, plan.delete, reasons(plan)]);
      }),
      { numRuns: 500 },
    );
  });
});

describe('any plan', () => {
  it('opens never more than the cap and the budgets allow', () => {
    fc.assert(
      fc.property(targets, given, (wanted, from) => {
        const { open } = planBetslips(wanted, from);
        const reserve = open.filter(({ isReserve }) => isReserve);
        expect(open.length).toBeLessThanOrEqual(Math.max(0, from.cap.value - from.held.length));
        expect(open.length - reserve.length).toBeLessThanOrEqual(Math.max(0, from.budget.pace));
        expect(reserve.length).toBeLessThanOrEqual(from.budget.reserve);
        expect(reserve.every(({ reduces }) => reduces)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('serves each market that waits, or tells why not, and opens none twice', () => {
    fc.assert(
      fc.property(targets, given, (wanted, from) => {
        const plan = planBetslips(wanted, from);
        const held = new Set(from.held.map(({ key }) => key));
        const waiting = wanted.filter(
          ({ key, need, isSendable }) => need === 'order' && isSendable && !held.has(key),
        );
        expect([...opened(plan), ...plan.reasons.keys()].sort()).toEqual(
          waiting.map(({ key }) => key).sort(),
        );
      }),
      { numRuns: 500 },
    );
  });

  it('deletes no betslip that an order on its way names, and makes one place at most', () => {
    fc.assert(
      fc.property(targets, given, (wanted, from) => {
        const plan = planBetslips(wanted, from);
        const named = new Set(wanted.filter(({ need }) => need === 'placing').map(({ key }) => key));
        for (const { key } of plan.delete) expect(named.has(key)).toBe(false);
        for (const { key, why } of plan.delete) if (why === 'idle') expect(plan.keep.has(key)).toBe(false);
        expect(plan.delete.filter(({ why }) => why !== 'idle').length).toBeLessThanOrEqual(1);
        for (const { key } of plan.delete)
          expect(from.held.find((each) => each.key === key)?.state).toBe('open');
      }),
      { numRuns: 500 },
    );
  });

  it('serves markets that reduce before pinned ones, and pinned ones by value', () => {
    fc.assert(
      fc.property(targets, fc.integer({ min: 1, max: 30 }), (drawn, room) => {
        const wanted = drawn.map((each) => ({ ...each, need: 'order' as const, isSendable: true }));
        const pins = pinsOf(
          wanted.map(({ key }) => key),
          [],
        );
        const cap = { value: room, isRising: false, resting: false };
        const plan = planBetslips(wanted, facts({ pins, cap }));
        const rank = ({ reduces, value }: BetslipTarget): number => (reduces ? 1e6 : 0) + value;
        const served = wanted.filter(({ key }) => opened(plan).includes(key)).map(rank);
        const passedOver = wanted.filter(({ key }) => plan.reasons.has(key)).map(rank);
        expect(Math.min(...served, Infinity)).toBeGreaterThanOrEqual(Math.max(...passedOver, -Infinity));
      }),
    );
  });

  it('is the same for equal input, whatever the order of targets', () => {
    fc.assert(
      fc.property(targets, given, (wanted, from) => {
        const plan = planBetslips(wanted, from);
        const again = planBetslips([...wanted].reverse(), { ...from, pins: plan.pins });
        expect([again.open, again.delete, reasons(again)]).toEqual([plan.open, plan.delete, reasons(plan)]);
      }),
      { numRuns: 500 },
    );
  });
});

it('serves every market in the end while there are fewer places than markets', () => {
  const values = fc.array(fc.integer({ min: 0, max: 1_000 }), { minLength: 4, maxLength: 14 });
  fc.assert(
    fc.property(values, fc.integer({ min: 3, max: 6 }), (drawn, cap) => {
      const keys = drawn.map((_, at) => `m${at}`);
      const servedMs = new Map<string, number>();
      let from = facts({ nowMs: 0, cap: { value: cap, isRising: false, resting: false } });
      // Every ten seconds a rotating market has placed its order and gives its place back.
      for (let nowMs = 0; nowMs < 6 * 3_600_000 && servedMs.size < keys.length; nowMs += 10_000) {
        const wanted = drawn.map((value, at) => {
          const isHeld = from.held.some(({ key }) => key === keys[at]);
          return target(keys[at] as string, { value, need: isHeld ? 'next' : 'order' });
        });
        const plan = planBetslips(wanted, { ...from, nowMs });
        const stays = from.held.filter(({ key }) => plan.keep.has(key));
        const added = plan.open.map(({ key, value }) => betslip(key, { value, readyMs: nowMs }));
        for (const { key } of plan.open) servedMs.set(key, nowMs);
        expect(stays.length + added.length).toBeLessThanOrEqual(cap);
        from = { ...from, held: [...stays, ...added], pins: plan.pins, claims: plan.claims };
      }
      expect(servedMs.size).toBe(keys.length);
      expect(passingPlaces(cap)).toBeGreaterThan(0);
    }),
    { numRuns: 20 },
  );
});

it('leaves out what a betslip would not serve as if the plan was made again without it, and asks only where it matters', () => {
  const useless = fc.array(
    fc.integer({ min: 0, max: 40 }).map((n) => `m${n}`),
    { maxLength: 25 },
  );
  fc.assert(
    fc.property(targets, given, useless, (wanted, from, keys) => {
      const asked = new Set<string>();
      const serves = ({ key }: { readonly key: string }): boolean => (asked.add(key), !keys.includes(key));
      let again: readonly BetslipTarget[] = wanted;
      const without = (key: string): BetslipTarget[] =>
        again.map((each) => (each.key === key ? { ...each, isSendable: false } : each));
      const expected = (): BetslipPlan => {
        for (;;) {
          const plan = planBetslips(again, from);
          const named = [...plan.open, ...plan.delete.flatMap((each) => each.for ?? [])];
          const wasted = named.find(({ key }) => keys.includes(key));
          if (wasted === undefined) return plan;
          again = without(wasted.key);
        }
      };
      let plan = planBetslips(wanted, { ...from, serves });
      for (
        let rest: readonly BetslipTarget[] = wanted;
        plan.isProvisional;
        plan = planBetslips(rest, { ...from, serves })
      )
        rest = rest.map((each) =>
          asked.has(each.key) && keys.includes(each.key) ? { ...each, isSendable: false } : each,
        );
      const planned = expected();
      expect(plan).toEqual(planned);
      const named = [...planned.open, ...planned.delete.flatMap((each) => each.for ?? [])];
      for (const { key } of named) expect(asked).toContain(key);
      const dropped = wanted.filter(({ key }, at) => again[at]?.isSendable === false && keys.includes(key));
      for (const key of asked)
        expect(named.some((each) => each.key === key) || dropped.some((each) => each.key === key)).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});
