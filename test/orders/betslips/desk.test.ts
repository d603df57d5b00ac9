import { beforeEach, describe, expect, it } from 'vitest';
import { marketKey } from '../../../src/domain/exchange-prices.ts';
import type { BetType } from '../../../src/domain/ids.ts';
import type { BetslipRequest } from '../../../src/domain/orders.ts';
import type { BetslipAnswer } from '../../../src/orders/betslips/answer.ts';
import { BetslipDesk, type BetslipWish } from '../../../src/orders/betslips/desk.ts';
import type { BetslipFacts, HeldBetslip } from '../../../src/orders/plan/betslips.ts';
import { blockedBy, type Obstacle } from '../../../src/orders/send-gate.ts';
import { EVENT_NAME } from '../../support/order-manager-rig.ts';
import { PartRig } from '../support/part.ts';

const NOW_MS = 100_000;
const market = (outcome: string): BetslipRequest => ({
  ...EVENT_NAME,
  betType: `for,${outcome}` as BetType,
});
const keyOf = (outcome: string): string => marketKey(market(outcome));

let facts: Omit<BetslipFacts, 'pins' | 'claims'>;
let desk: BetslipDesk;
let did: string[];
let answers: Record<string, BetslipAnswer>;
let isCrowded: boolean;
/** The outcomes whose requests the client would not send soon: each is refused once. */
let late: string[];

beforeEach(() => {
  [did, answers, isCrowded, late] = [[], {}, false, []];
  facts = {
    nowMs: NOW_MS,
    held: [],
    refuses: () => false,
    deletesFromMs: -Infinity,
    cap: { value: 10, isRising: false, resting: false },
    budget: { pace: 100, burst: 100, reserve: 20, goesSoon: { normal: true, reducing: true } },
    idleMs: { pinned: 5_000, used: 1_000, unused: 3_000 },
  };
  const rig = new PartRig({
    options: {
      durationS: 60,
      renewLeadMs: 2_500,
      betslips: { perDay: 2_050, dailyReserve: 50, longestDurationS: 20_000 },
    },
  });
  const pool = {
    facts: () => facts,
    get budget() {
      return facts.budget;
    },
    get isCrowded() {
      return isCrowded;
    },
    noteTargets: (kept: ReadonlyMap<string, unknown>) =>
      void did.push(`note ${[...kept.keys()].map((key) => key.split(',').at(-1)).join(' ')}`),
    withdraw: (key: string) => void did.push(`withdraw ${key.split(',').at(-1)}`),
    delete: (key: string, isUnused: boolean) => void did.push(`delete ${key.split(',').at(-1)} ${isUnused}`),
    request: ({ betType }: BetslipRequest, { value }: { value: number }) => {
      const outcome = betType.split(',')[1] ?? '';
      did.push(`request ${outcome} ${value}`);
      if (!late.includes(outcome)) return true;
      late.splice(late.indexOf(outcome), 1);
      facts = { ...facts, budget: { ...facts.budget, goesSoon: { normal: false, reducing: false } } };
      return false;
    },
    answerOf: (key: string) => answers[key] ?? null,
  };
  desk = new BetslipDesk(rig.context, pool as never);
});

const wish = (outcome: string, over: Partial<BetslipWish> = {}): BetslipWish => ({
  key: keyOf(outcome),
  selection: outcome,
  value: 1,
  need: 'order',
  reduces: false,
  isSendable: true,
  market: market(outcome),
  foresee: () => null,
  ...over,
});
const held = (outcome: string, over: Partial<HeldBetslip> = {}): HeldBetslip => ({
  key: keyOf(outcome),
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
/** What is in the way of these wishes, by their order. */
const served = (...wishes: readonly BetslipWish[]): (string | null)[] => {
  const obstacles = desk.serve(wishes);
  return wishes.map((each) => obstacles.get(each)?.code ?? null);
};

describe('the plan of betslips', () => {
  it('is carried out: betslips are noted, withdrawn, deleted and requested', () => {
    facts = {
      ...facts,
      held: [held('h', { state: 'creating', waitsAsNormal: true }), held('d', { unwantedMs: 0 })],
    };
    served(wish('h', { reduces: true }), wish('a', { value: 7 }));
    expect(did).toEqual(['note h a', 'withdraw h', 'delete d false', 'request a 7']);
  });

  it('makes a market pause whose turn ended without an order', () => {
    facts = { ...facts, cap: { value: 3, isRising: false, resting: false } };
    // With fewer places than markets, the cheap ones rotate.
    const wishes = ['h', 'd', 'a', 'x'].map((outcome, at) => wish(outcome, { value: 9 - at }));
    desk.serve(wishes);
    did = [];
    const slow = { readyMs: NOW_MS - 10_001 };
    facts = { ...facts, held: [held('h'), held('d', slow), held('a', slow)] };
    served(...wishes);
    expect(did).toEqual(['note h d a x', 'delete d true']);
  });

  it('is made again if a betslip could not be requested: what is left has changed', () => {
    late = ['h'];
    facts = { ...facts, budget: { ...facts.budget, reserve: 0 } };
    expect(served(wish('h', { value: 2 }), wish('a'))).toEqual(['betslip_budget', 'betslip_budget']);
    expect(did).toEqual(['note h a', 'request h 2', 'note h a']);
  });

  it('names the markets for which it would open a betslip, and does nothing', () => {
    facts = { ...facts, held: [held('d')] };
    const opens = desk.wouldOpen([wish('h'), wish('d'), wish('a', { isSendable: false })]);
    expect(['h', 'd', 'a'].map((outcome) => opens(market(outcome)))).toEqual([true, false, false]);
    expect(did).toEqual([]);
  });
});

describe('what is in the way of a quote', () => {
  it('is its betslip, or why it gets none', () => {
    answers = { [keyOf('d')]: { ok: false, code: 'quote_stale' } };
    facts = {
      ...facts,
      held: [held('d')],
      refuses: (key) => key === keyOf('a'),
    };
    answers[keyOf('x')] = { ok: true, betslip: { id: 'slip' as never, quote: [] } };
    expect(served(wish('d'), wish('a'), wish('h'), wish('x'))).toEqual([
      'quote_stale',
      'betslip_refused',
      null,
      null,
    ]);
  });

  it('is nothing that concerns betslips once its order is there', () => {
    answers = { [keyOf('d')]: { ok: false, code: 'quote_stale' } };
    facts = { ...facts, held: [held('d')] };
    expect(served(wish('d', { need: 'next' }), wish('d', { need: 'placing' }))).toEqual([null, null]);
  });

  const RISK: Obstacle = blockedBy('risk', 'worst_case');

  it('is what would waste a betslip, and then none is opened', () => {
    expect(served(wish('h', { foresee: () => RISK }), wish('a'))).toEqual(['risk', null]);
    expect(did).toEqual(['note h a', 'request a 1']);
  });

  it('is asked once of each, for another one of the market only after the first, and as pinned or not', () => {
    const asked: string[] = [];
    const one = (name: string, obstacle: Obstacle | null, over: Partial<BetslipWish> = {}) =>
      wish('h', { foresee: (isPinned) => (asked.push(`${name} ${isPinned}`), obstacle), ...over });
    expect(
      served(
        one('resting', RISK, { need: 'next' }),
        one('first', RISK),
        one('second', null),
        one('third', RISK),
      ),
    ).toEqual([null, 'risk', null, null]);
    expect(asked).toEqual(['first true', 'second true']);
    expect(did.filter((each) => each.startsWith('request'))).toEqual(['request h 1']);
  });

  it('leaves the place to another market that a betslip would serve', () => {
    facts = { ...facts, cap: { value: 1, isRising: false, resting: false } };
    const [better, worse] = [wish('h', { value: 9, foresee: () => RISK }), wish('a')];
    expect(served(better, worse)).toEqual(['risk', null]);
    expect(did.at(-1)).toBe('request a 1');
  });
});

describe('the life of an order', () => {
  const MARKETS = Array.from({ length: 100 }, (_, at) => `m${String(at).padStart(3, '0')}`);

  it.each([
    [undefined, 60],
    [45, 45],
    [1, 5],
    [90_000, 20_000],
  ])('is as its strategy wants, or as configured: %s', (lifetimeS, durationS) => {
    expect(desk.durationS(market('h'), lifetimeS === undefined ? {} : { lifetimeS })).toBe(durationS);
  });

  /** Ten of a hundred markets have a place: two passing, and eight pinned. */
  const plan = (): void => void desk.serve(MARKETS.map((outcome, at) => wish(outcome, { value: 100 - at })));

  it('is long where each next order costs a betslip, and as configured where it does not', () => {
    plan();
    expect(desk.durationS(market('m000'))).toBe(60);
    // 92 markets share three quarters of two thousand betslips.
    expect(desk.durationS(market('m099'))).toBe(Math.ceil((92 * 86_400) / 1_500));
  });

  it('is long for all while pinned markets spend the part that is kept for them', () => {
    plan();
    facts = { ...facts, budget: { ...facts.budget, pace: 5 } };
    expect(desk.durationS(market('m000'))).toBe((100 * 86_400) / 1_500);
    expect(desk.durationS(market('m099'))).toBe((100 * 86_400) / 1_500);
  });

  it('is not long while betslips of an earlier run take places', () => {
    plan();
    isCrowded = true;
    expect(desk.durationS(market('m099'))).toBe(60);
  });
});
