import { beforeEach, describe, expect, it } from 'vitest';
import type { TrackedOrder } from '../../../src/account/orders.ts';
import { eventKey } from '../../../src/domain/events.ts';
import { marketKey } from '../../../src/domain/exchange-prices.ts';
import { type BetType, orderId, type Sport } from '../../../src/domain/ids.ts';
import type { Fill } from '../../../src/domain/live-order.ts';
import type { BetslipRequest } from '../../../src/domain/orders.ts';
import { intentKey, type QuoteIntent } from '../../../src/domain/quote-intent.ts';
import { InvariantError } from '../../../src/lib/assert.ts';
import { blockedBy, type Obstacle, type WaitCode } from '../../../src/orders/send-gate.ts';
import { BetslipWishes } from '../../../src/orders/targets/betslip-wishes.ts';
import { Quoting } from '../../../src/orders/targets/quoting.ts';
import { Targets } from '../../../src/orders/targets/targets.ts';
import { EVENT_NAME, quote } from '../../support/order-manager-rig.ts';
import { PartRig } from '../support/part.ts';
import { bookOf, trackedOrder } from '../support/tracked.ts';

const MARKET: BetslipRequest = { ...EVENT_NAME, betType: 'for,h' as BetType };
const OTHER = { ...EVENT_NAME, sport: 'tennis' as Sport };
const KEY = eventKey(EVENT_NAME);

interface Waiting {
  readonly key: string;
  readonly code: WaitCode;
  readonly intent: QuoteIntent;
  readonly event: string;
}

let rig: PartRig;
let did: string[];
let early: Obstacle | null;
let placing: Obstacle | null;
let hasBetslip: boolean;
let woken: string[];
let inFlight: number;
/** Why quotes wait. */
let reasons: Map<string, Waiting>;
let served: [index: number, Obstacle][];
let targets: Targets;
let wishes: BetslipWishes;
let quoting: Quoting;
let reviewed: Obstacle | null;

const short = (key: string): string => key.split('#').at(-1) ?? '';

function begin(...orders: readonly TrackedOrder[]): void {
  [did, early, placing, hasBetslip, woken, inFlight] = [[], null, null, true, [], 0];
  [reasons, served, reviewed] = [new Map(), [], blockedBy('heartbeat')];
  rig = new PartRig({ options: { retryMs: 2_000, takenBackoffMs: 9_000 }, deps: { auditEveryMs: 60_000 } });
  const book = bookOf(rig.clock, ...orders);
  const owners = {
    own: ({ sport }: { sport: string }, owner: string) => void did.push(`own ${sport} ${owner}`),
    of: () => 'a strategy',
  };
  const metrics = {
    unintendedTakes: { inc: () => void did.push('unintended take') },
    missedWakes: { inc: ({ code }: { code: string }) => void did.push(`missed ${code}`) },
  };
  Object.assign(rig.context, { book, owners, metrics });
  targets = new Targets(owners as never);
  const judge = {
    early: ({ key, intent }: { key: string; intent: QuoteIntent }) =>
      early ?? { key, intent, market: MARKET },
    mayEndMs: (code: string) => (code === 'backing_off' ? 7_000 : Infinity),
    reduces: () => false,
    review: () => reviewed,
  };
  wishes = new BetslipWishes(judge as never, targets);
  const blocked = {
    add: (of: { key: string; intent: QuoteIntent }, { code }: Obstacle, market: unknown, untilMs: number) => {
      reasons.set(of.key, { key: of.key, code, intent: of.intent, event: KEY });
      did.push(`block ${short(of.key)} ${code}${market === null ? '' : ' market'} ${untilMs}`);
    },
    delete: (key: string) => {
      reasons.delete(key);
      did.push(`unblock ${short(key)}`);
    },
    get: (key: string) => reasons.get(key),
    take: () => woken.splice(0),
    all: () => [...reasons.values()],
    orderChanged: () => void did.push('order changed'),
    decided: () => void did.push('decided'),
    betslipChanged: (market: string) => void did.push(`betslip ${market}`),
    wake: ({ key }: { key: string }) => void did.push(`wake ${short(key)}`),
    wakeAll: () => void did.push('wake all'),
    nextMs: 5_000,
  };
  const path = {
    targets,
    judge,
    wishes,
    blocked,
    turns: {
      enter: (owner: string) => void did.push(`enter ${owner}`),
      get inFlight() {
        return inFlight;
      },
    },
    pauses: {
      took: (key: string, ms: number) => void did.push(`took ${short(key)} ${ms}`),
      refusedByRisk: (key: string, ms: number) => void did.push(`risk ${short(key)} ${ms}`),
      sweep: () => void did.push('sweep pauses'),
    },
    placer: {
      place: ({ key }: { key: string }) => (did.push(`place ${short(key)}`), placing),
    },
    betslips: {
      pool: { answerOf: (key: string) => (hasBetslip && key === marketKey(MARKET) ? { ok: true } : null) },
      desk: {
        serve: (all: readonly unknown[]) => {
          did.push(`serve ${all.length}`);
          return new Map(served.map(([at, obstacle]) => [all[at], obstacle]));
        },
        wouldOpen: () => () => true,
      },
    },
  };
  quoting = new Quoting(
    rig.context,
    path as never,
    {
      want: ({ order }: TrackedOrder, why: string) => void did.push(`close ${order.requestUuid}: ${why}`),
    } as never,
  );
}

const want = (...intents: readonly QuoteIntent[]): void =>
  quoting.setTargets(EVENT_NAME, 'a strategy', intents);
const pumped = (): string[] => {
  did = [];
  quoting.pump();
  return did;
};
/** What the quotes need betslips for. */
const needs = (): string[] =>
  wishes.all().flatMap((wish) => ('quote' in wish ? [`${short(wish.quote)} ${wish.need}`] : []));
const own = (
  state: 'live' | 'sending' | 'prepared',
  over: object = {},
  of: Partial<TrackedOrder> = {},
): TrackedOrder => {
  const { tick, stakeMicros, selectionId } = quote();
  return trackedOrder(
    { key: intentKey(quote()), ...of },
    {
      ...MARKET,
      state,
      tick,
      stakeMicros,
      selectionId,
      orderId: state === 'live' ? orderId(1) : null,
      ...over,
    },
  );
};

beforeEach(() => begin());

describe('the targets of an event', () => {
  it('have an owner, who takes part in the turns; none are needed for an empty set', () => {
    quoting.setTargets(EVENT_NAME, null, []);
    expect(did).toEqual(['decided']);
    expect(() => quoting.setTargets(EVENT_NAME, null, [quote()])).toThrow(InvariantError);
    did = [];
    want(quote());
    expect(did).toEqual(['own fb a strategy', 'enter a strategy', 'decided']);
  });

  it('are placed once, and equal ones are not judged again', () => {
    want(quote());
    expect(pumped()).toEqual(['place 0', 'unblock 0', 'serve 1']);
    want(quote());
    expect(pumped()).toEqual([]);
    want(quote({ tick: 111 }));
    expect(pumped()).toEqual(['place 0', 'unblock 0']);
  });

  it('that are gone wait no more, and want no betslip', () => {
    want(quote(), quote({ level: 1 }));
    pumped();
    did = [];
    want(quote({ level: 1 }));
    expect(did).toEqual(['own fb a strategy', 'enter a strategy', 'unblock 0', 'decided']);
    expect(needs()).toEqual(['1 placing']);
  });

  it('go in the order of their worth', () => {
    want(quote(), quote({ level: 1, valueMicrosPerS: 5 }), quote({ level: 2, valueMicrosPerS: 9 }));
    expect(pumped().filter((each) => each.startsWith('place'))).toEqual(['place 2', 'place 1', 'place 0']);
  });

  it('are forgotten once nothing is wanted and open, but not before recovery is done', () => {
    rig.halts.set('start', 'not_started');
    want();
    pumped();
    expect(targets.knows(EVENT_NAME)).toBe(true);
    rig.halts.clear('start');
    quoting.touchAll();
    pumped();
    expect(targets.knows(EVENT_NAME)).toBe(false);
    begin(own('live'));
    want();
    pumped();
    expect(targets.knows(EVENT_NAME)).toBe(true);
  });
});

describe('a quote', () => {
  it('that is blocked before it needs a betslip wants none', () => {
    early = blockedBy('backing_off');
    want(quote());
    expect(pumped()).toEqual(['block 0 backing_off 7000']);
    expect(needs()).toEqual([]);
  });

  it('without a betslip waits for the plan, which opens one', () => {
    hasBetslip = false;
    want(quote());
    expect(pumped()).toEqual(['serve 1']);
    expect(needs()).toEqual(['0 order']);
  });

  it.each<[code: WaitCode, hasBetslip: boolean, risk: string[]]>([
    ['would_take', true, []],
    ['risk', true, ['risk 0 2000']],
    ['quote_stale', true, []],
  ])('that cannot be placed on its betslip keeps it: %s', (code, has, risk) => {
    [hasBetslip, placing] = [has, blockedBy(code)];
    want(quote());
    expect(pumped()).toEqual(['place 0', ...risk, `block 0 ${code} market Infinity`, 'serve 1']);
    expect(needs()).toEqual(['0 order']);
  });

  it('is not judged while the limit that blocks it is reached', () => {
    early = blockedBy('in_flight_limit');
    want(quote());
    pumped();
    [early, inFlight, woken] = [null, 5, [intentKey(quote())]];
    expect(pumped()).toEqual([]);
    [inFlight, woken] = [4, [intentKey(quote())]];
    expect(pumped()).toContain('place 0');
  });

  it('that waits is judged again when it is woken, or wanted otherwise', () => {
    early = blockedBy('would_take');
    want(quote());
    pumped();
    early = null;
    quoting.touch(EVENT_NAME);
    expect(pumped()).toEqual([]);
    woken = [intentKey(quote())];
    quoting.touch(EVENT_NAME);
    expect(pumped().filter((each) => each === 'place 0')).toHaveLength(1);
    begin();
    early = blockedBy('would_take');
    want(quote());
    pumped();
    early = null;
    want(quote({ tick: 112 }));
    expect(pumped()).toContain('place 0');
  });

  it('that is not wanted any more is not judged though it was woken', () => {
    early = blockedBy('would_take');
    want(quote());
    pumped();
    early = null;
    targets.set(EVENT_NAME, []);
    woken = [intentKey(quote()), 'of nobody'];
    expect(pumped()).toEqual([]);
  });
});

describe('the plan of betslips', () => {
  beforeEach(() => {
    hasBetslip = false;
    want(quote());
    pumped();
  });

  it.each<[what: string, act: () => void, isMade: boolean]>([
    ['nothing has changed', () => undefined, false],
    ['a betslip has changed', () => quoting.betslipChanged('m', false), true],
    ['a betslip has a new quote', () => quoting.betslipChanged('m', true), false],
    ['time has passed', () => quoting.sweep(), true],
    ['another quote is wanted', () => want(quote(), quote({ level: 1 })), true],
  ])('is made again only if need be: %s', (_, act, isMade) => {
    act();
    expect(pumped().some((each) => each.startsWith('serve'))).toBe(isMade);
    expect(pumped()).toEqual([]);
  });

  it('wakes the quotes that use the betslip', () => {
    did = [];
    quoting.betslipChanged('m', true);
    expect(did).toEqual(['betslip m']);
  });

  it.each<[before: WaitCode | null, now: WaitCode, isTold: boolean]>([
    [null, 'betslip_cap', true],
    ['betslip_pace', 'betslip_cap', true],
    ['betslip_cap', 'betslip_cap', false],
    ['risk', 'risk', true],
  ])('tells a quote why it gets none, once: %s before %s', (before, now, isTold) => {
    if (before !== null) {
      served = [[0, blockedBy(before)]];
      quoting.sweep();
      pumped();
      if (before === 'risk')
        wishes.want({ key: intentKey(quote()), intent: quote(), market: MARKET }, 'order');
    }
    served = [[0, blockedBy(now)]];
    quoting.sweep();
    expect(pumped().some((each) => each.startsWith('block'))).toBe(isTold);
    expect(needs()).toEqual(now === 'risk' ? [] : ['0 order']);
  });

  it('tells nothing to a quote whose order is there', () => {
    begin(own('live'));
    want(quote());
    served = [[0, blockedBy('betslip_cap')]];
    expect(pumped()).toEqual(['unblock 0', 'serve 1']);
  });
});

describe('an open order', () => {
  it('that no quote wants is closed', () => {
    begin(own('live'));
    want();
    expect(pumped()).toContain('close uuid: not wanted');
  });

  it.each([
    ['live', 'next'],
    ['sending', 'placing'],
    ['prepared', 'placing'],
  ] as const)(
    'needs its betslip for its quote, but not one of another kind of price: %s %s',
    (state, need) => {
      begin(own(state));
      want(quote());
      pumped();
      expect(needs()).toEqual([`0 ${need}`]);
      want(quote({ priceKind: 'lay-for' }));
      pumped();
      expect(needs().filter((each) => each.endsWith(need))).toEqual(state === 'live' ? [] : ['0 placing']);
    },
  );

  it.each([
    ['live', []],
    ['sending', ['take a placing']],
    ['prepared', ['take a placing']],
  ] as const)(
    'of a take needs its betslip until it is placed, and never for a next one: %s',
    (state, needed) => {
      const take = quote({ take: 'a' });
      begin(own(state, { mode: 'take_only' }, { key: intentKey(take) }));
      want(take);
      pumped();
      expect(needs()).toEqual(needed);
    },
  );

  it('of no quote, or of one that is not wanted, needs none', () => {
    begin(own('sending', {}, { key: null }));
    want(quote({ level: 1 }));
    hasBetslip = false;
    pumped();
    expect(needs()).toEqual(['1 order']);
  });

  it('is renewed in time, and the quote waits for nothing else', () => {
    begin(own('live', {}, { lapsesMonotonicMs: 4_000 }));
    want(quote());
    pumped();
    expect(quoting.dueMs).toBe(1_500);
  });

  it('waits for time as long as its quotes do', () => {
    expect(quoting.dueMs).toBe(5_000);
  });

  it('whose outcome is unknown keeps its quote waiting, which says so', () => {
    begin(own('sending'));
    want(quote());
    pumped();
    expect(targets.waiting().map(({ code }) => code)).toEqual([]);
    want(quote({ tick: 150 }));
    pumped();
    expect(targets.waiting().map(({ code }) => code)).toEqual(['outcome_unknown']);
  });

  it('is what a plan starts from, with the policy in force', () => {
    const order = own('live', { filledMicros: 4_000_000 }, { lapsesMonotonicMs: 9_000, closeWanted: true });
    begin(order);
    const { replacement, renewLeadMs, toleranceAwayTicks, toleranceTowardTicks, ...rest } =
      rig.context.options;
    const { minStakeRatio, maxStakeRatio } = rest;
    expect(quoting.planBasis(OTHER).held).toEqual([]);
    expect(quoting.planBasis(EVENT_NAME)).toEqual({
      held: [
        {
          uuid: 'uuid',
          key: intentKey(quote()),
          state: 'live',
          priceKind: 'odds-for',
          tick: 110,
          mode: 'make_and_take',
          unfilledMicros: 6_000_000,
          lapsesInMs: 9_000,
          closeWanted: true,
        },
      ],
      policy: {
        replacement,
        renewLeadMs,
        toleranceAwayTicks,
        toleranceTowardTicks,
        minStakeRatio,
        maxStakeRatio,
      },
    });
  });
});

describe('a change', () => {
  it('of an order has its event reconciled, if any quotes of that were asked for', () => {
    quoting.touch(EVENT_NAME);
    expect(did).toEqual([]);
    want(quote());
    pumped();
    did = [];
    quoting.touch(OTHER);
    expect([did, pumped()]).toEqual([[], []]);
    quoting.touch(EVENT_NAME);
    expect(did).toEqual(['order changed']);
    expect(pumped()).toContain('place 0');
  });

  it('of everything has all events reconciled, and all that wait woken', () => {
    want(quote());
    pumped();
    did = [];
    quoting.touchAll();
    expect(did).toEqual(['wake all']);
    expect(pumped()).toContain('place 0');
  });
});

describe('a fill as a taker', () => {
  const fill = (over: Partial<Fill> = {}): Fill =>
    ({ role: 'taker', mode: 'make_and_take', orderId: 1, price: 3, ...over }) as unknown as Fill;

  it('of an order that was meant to rest is counted and told, and its quote pauses', () => {
    quoting.filled(own('live'), fill());
    expect(did).toEqual(['unintended take', 'took 0 9000']);
    expect(rig.warned).toEqual([
      { message: 'an order that was meant to rest has filled as a taker', orderId: 1, price: 3 },
    ]);
  });

  it.each([
    ['of an order that was meant to take', fill({ mode: 'take_only' })],
    ['is none as a maker', fill({ role: 'maker' })],
  ])('%s matters to nobody', (_, of) => {
    quoting.filled(own('live'), of);
    expect([did, rig.warned]).toEqual([[], []]);
  });

  it('of an order without a quote pauses none', () => {
    quoting.filled(own('live', {}, { key: null }), fill());
    expect(did).toEqual(['unintended take']);
  });
});

describe('a wake that was missed', () => {
  it('is counted and told once it is certain, and the quote is woken', async () => {
    early = blockedBy('would_take');
    want(quote());
    pumped();
    expect(quoting.missedWakes).toBe(0);
    reviewed = null;
    await rig.clock.advance(60_000);
    const all: string[] = [];
    for (let look = 0; look < 5; look++) {
      all.push(...pumped());
      await rig.clock.advance(500);
    }
    expect([all, quoting.missedWakes]).toEqual([['missed would_take', 'wake 0'], 1]);
    expect(rig.warned).toEqual([
      {
        message: 'a blocked quote could be placed and nothing woke it',
        quote: intentKey(quote()),
        code: 'would_take',
      },
    ]);
  });
});

it('a sweep sweeps the pauses', () => {
  quoting.sweep();
  expect(did).toEqual(['sweep pauses']);
});
