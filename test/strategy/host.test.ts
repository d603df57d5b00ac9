import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { problemInWords, type StrategyAnswer, type StrategyProblem } from '../../src/strategy/host.ts';
import type { IntentRule } from '../../src/strategy/intents.ts';
import { quoteValue } from '../../src/strategy/pricing/placement.ts';
import {
  defineStrategy,
  type QuoteIntent,
  type QuoteSize,
  type SelectionId,
  type SizedIntent,
  tickOf,
  z,
} from '../../src/strategy/sdk.ts';
import { eventView, selectionView } from './support.ts';
import { hostedBy, stillSurroundings } from '../support/strategy-host.ts';

const VIEW = eventView([selectionView([[2, 10]], [[2.1, 10]])]);
const ID = VIEW.selections[0]?.selectionId as SelectionId;
const GOOD: QuoteIntent = { selectionId: ID, direction: 'against', tick: 98, stakeMicros: 1e6, level: 0 };

function run(quote: () => readonly (QuoteIntent | SizedIntent)[]): StrategyAnswer {
  const plugin = defineStrategy({ name: 'test', description: '', parameters: z.unknown(), quote });
  return hostedBy(plugin, {}).quote(VIEW);
}

function throwBare(): never {
  throw Object.create(null) as Error;
}

describe('the observer of calls', () => {
  const observed = (quote: () => readonly QuoteIntent[]): readonly string[] => {
    const seen: string[] = [];
    const observer = {
      onCall: (strategy: string, { eventId }: { readonly eventId: string }) =>
        void seen.push(`${strategy} on ${eventId}`),
      onReturn: () => void seen.push('returned'),
    };
    const plugin = defineStrategy({
      name: 'test',
      description: '',
      parameters: z.unknown(),
      quote: () => (seen.push('called'), quote()),
    });
    hostedBy(plugin, {}, { ...stillSurroundings(), observer }).quote(VIEW);
    return seen;
  };
  const during = [`test on ${VIEW.eventId}`, 'called', 'returned'];

  it('sees a call begin and end, whatever the strategy answers', () => {
    expect(observed(() => [GOOD])).toEqual(during);
    expect(observed(throwBare)).toEqual(during);
    expect(observed(() => null as never)).toEqual(during);
  });

  it('sees the end after the answer was read: reading may take as long as the call', () => {
    const seen: string[] = [];
    const plugin = defineStrategy({
      name: 'test',
      description: '',
      parameters: z.unknown(),
      quote: () => lazy,
    });
    const lazy = new Proxy([GOOD], {
      get: (target, name) => {
        seen.push('read');
        return Reflect.get(target, name) as unknown;
      },
    });
    const observer = { onCall: () => undefined, onReturn: () => void seen.push('returned') };
    hostedBy(plugin, {}, { ...stillSurroundings(), observer }).quote(VIEW);
    expect([seen.includes('read'), seen.at(-1), seen.indexOf('returned')]).toEqual([
      true,
      'returned',
      seen.length - 1,
    ]);
  });
});

describe('the strategy host', () => {
  it('passes good intents unchanged', () => {
    const pair = [
      GOOD,
      { ...GOOD, direction: 'for', tick: 99, valueMicrosPerS: 3, fairProbability: 0.4 } as const,
    ];
    expect(run(() => pair)).toEqual({ intents: pair, problems: [] });
  });

  it('keeps an intent as requested, although a strategy reuses its objects', () => {
    const reused = { ...GOOD, valueMicrosPerS: 3 };
    const { intents } = run(() => [reused]);
    Object.assign(reused, { tick: 90 });
    expect(intents).toEqual([{ ...GOOD, valueMicrosPerS: 3 }]);
  });

  it('values an intent by its strategy’s fair value, unless the intent states its worth', () => {
    const told = { ...GOOD, fairProbability: 0.49 };
    const { intents } = run(() => [told, { ...told, level: 1, valueMicrosPerS: 7 }]);
    expect(intents[0]?.valueMicrosPerS).toBe(quoteValue(told, 0.49));
    expect(intents[0]?.valueMicrosPerS).toBeGreaterThan(0);
    expect(intents[1]?.valueMicrosPerS).toBe(7);
  });

  it.each<[string, Partial<Record<keyof QuoteIntent, unknown>>]>([
    ['a selection of another event', { selectionId: 'fb|other|h' }],
    ['an unknown direction', { direction: 'sideways' }],
    ['a tick below the ladder', { tick: -1 }],
    ['a tick above the ladder', { tick: 350 }],
    ['a price for a tick', { tick: 2.02 }],
    ['a tick that is not a number', { tick: NaN }],
    ['no stake', { stakeMicros: 0 }],
    ['a stake in fractions of micros', { stakeMicros: 0.5 }],
    ['an infinite stake', { stakeMicros: Infinity }],
    ['a negative level', { level: -1 }],
    ['a value that is not finite', { valueMicrosPerS: NaN }],
    ['a certain fair probability', { fairProbability: 1 }],
    ['an unknown mode', { mode: 'post_only' }],
  ])('omits %s', (_, change) => {
    const { intents, problems } = run(() => [{ ...GOOD, ...change } as QuoteIntent, { ...GOOD, level: 1 }]);
    expect(intents).toEqual([{ ...GOOD, level: 1 }]);
    expect(problems).toMatchObject([
      { kind: 'invalid-intent', strategy: 'test', sport: VIEW.sport, eventId: VIEW.eventId },
    ]);
  });

  it.each<[IntentRule, Partial<Record<keyof SizedIntent | 'stakeMicros', unknown>>]>([
    ['selection', { selectionId: 'fb|other|h' }],
    ['direction', { direction: 'sideways' }],
    ['tick', { tick: 2.02 }],
    ['price_kind', { priceKind: 'odds-against' }],
    ['size', { size: { stakeMicros: 1e6 } }],
    ['stake', { stakeMicros: 0 }],
    ['level', { level: -1 }],
    ['value', { valueMicrosPerS: NaN }],
    ['fair_probability', { fairProbability: 1 }],
    ['lifetime', { lifetimeS: 0.5 }],
    ['reason', { reason: 5 }],
    ['mode', { mode: 'post_only' }],
    ['mode', { mode: 'take_only' }],
    ['mode', { mode: 'dark', take: 'a' }],
    ['take', { take: '' }],
    ['take', { take: 5 }],
    ['take', { take: 'x'.repeat(65) }],
    ['take', { take: 'two\nlines' }],
    ['take', { take: 'a', byHand: 'q' }],
    ['take', { byHand: 'q' }],
    ['min_taker_stake', { minTakerWantStakeMicros: 1e6 }],
    ['min_taker_stake', { mode: 'dark', minTakerWantStakeMicros: 0.5 }],
    ['min_taker_stake', { mode: 'dark', minTakerWantStakeMicros: 1e6 + 1 }],
    ['min_taker_stake', { take: 'a', minTakerWantStakeMicros: 1 }],
    ['keep_open', { keepOpenInRunning: 1 }],
    ['keep_open', { keepOpenInRunning: true, take: 'a' }],
    ['exclude_danger', { excludeDanger: 'yes' }],
    ['source_minimums', { sourceMinStakesMicros: [1] }],
    ['source_minimums', { sourceMinStakesMicros: { pin: 0 } }],
    ['source_minimums', { sourceMinStakesMicros: 5 }],
    [
      'source_minimums',
      { sourceMinStakesMicros: Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`s${at}`, 1])) },
    ],
    ['duplicate', { level: 1 }],
  ])('names the intent and the rule %s', (rule, change) => {
    const { problems } = run(() => [{ ...GOOD, level: 1 }, { ...GOOD, ...change } as QuoteIntent]);
    expect(problems).toHaveLength(1);
    const { refused } = problems[0] as StrategyProblem;
    expect(refused).toMatchObject({ rule, direction: rule === 'direction' ? null : 'against' });
    expect(problemInWords(problems[0] as StrategyProblem)).toMatch(
      new RegExp(`^${rule === 'direction' ? 'sideways' : 'against'} at .* on fb.*: .* \\(rule ${rule}\\)$`),
    );
  });

  it('describes an intent as its strategy wrote it', () => {
    const wordsOf = (change: object): string | undefined =>
      run(() => [{ ...GOOD, ...change } as QuoteIntent]).problems[0]?.refused?.intent;
    expect(wordsOf({ mode: 'take_only' })).toBe(`against at 1.99 (tick 98), stake 1 USDT, level 0, on ${ID}`);
    expect(wordsOf({ mode: 'dark', take: 'a' })).toBe(
      `against at 1.99 (tick 98), stake 1 USDT, take a, on ${ID}`,
    );
    expect(wordsOf({ tick: 2.02 })).toBe(`against at tick 2.02, stake 1 USDT, level 0, on ${ID}`);
    expect(wordsOf({ stakeMicros: -5 })).toBe(`against at 1.99 (tick 98), stake -5, level 0, on ${ID}`);
    const sized = { stakeMicros: undefined, size: { liabilityMicros: NaN } };
    expect(wordsOf(sized)).toBe(`against at 1.99 (tick 98), liabilityMicros NaN, level 0, on ${ID}`);
    expect(wordsOf({ stakeMicros: undefined, size: 5 })).toContain(', size 5, ');
    expect(wordsOf({ level: { deep: 1 } })).toContain('level an object');
  });

  it('bounds what a refused intent shows, on one line', () => {
    const long = { direction: `\u001b[2J\n${'x'.repeat(1e6)}`, selectionId: 'y'.repeat(1e6) };
    const [problem] = run(() => [
      { ...GOOD, ...long } as object as QuoteIntent,
      { ...GOOD, mode: 'z'.repeat(1e6) } as object as QuoteIntent,
    ]).problems;
    for (const each of run(() => [
      { ...GOOD, ...long, selectionId: ID } as object as QuoteIntent,
    ]).problems.concat(problem!)) {
      expect(problemInWords(each).length).toBeLessThan(600);
      expect(problemInWords(each)).not.toMatch(/[\u001b\n]/);
    }
  });

  it('names the prices of quotes that would match each other', () => {
    const { problems } = run(() => [GOOD, { ...GOOD, direction: 'for', tick: 98 }]);
    expect(problems[0]?.refused).toEqual({
      direction: null,
      rule: 'self_cross',
      intent: `for at 1.99 and against at 1.99, on ${ID}`,
    });
  });

  it.each<[string, QuoteSize, Partial<QuoteIntent>, number]>([
    ['a stake', { stakeMicros: 3e6 }, {}, 3e6],
    ['the liability of a bet against', { liabilityMicros: 3e6 }, { tick: tickOf(4) as number }, 1e6],
    [
      'the liability of a bet for',
      { liabilityMicros: 3e6 },
      { tick: tickOf(4) as number, direction: 'for' },
      3e6,
    ],
    ['contracts', { contractsMicros: 12e6 }, { tick: tickOf(4) as number }, 3e6],
  ])('passes on %s as a stake', (_, size, change, stakeMicros) => {
    const { stakeMicros: none, ...rest } = { ...GOOD, ...change };
    const { intents, problems } = run(() => [{ ...rest, size }]);
    expect([none, problems]).toEqual([1e6, []]);
    expect(intents).toEqual([{ ...rest, stakeMicros }]);
    expect(intents[0]).not.toHaveProperty('size');
  });

  it.each<[string, unknown]>([
    ['has both stakeMicros and size', { ...GOOD, size: { stakeMicros: 1e6 } }],
    ['size is not one of', { ...GOOD, stakeMicros: undefined, size: {} }],
    ['size is not one of', { ...GOOD, stakeMicros: undefined, size: 5 }],
    ['size is not one of', { ...GOOD, stakeMicros: undefined, size: null }],
    [
      'size is not one of',
      { ...GOOD, stakeMicros: undefined, size: { stakeMicros: 1e6, contractsMicros: 1e6 } },
    ],
    ['size.liabilityMicros NaN', { ...GOOD, stakeMicros: undefined, size: { liabilityMicros: NaN } }],
    ['stake 0 is not', { ...GOOD, stakeMicros: undefined, size: { contractsMicros: 1 } }],
    ['stake undefined is not', { ...GOOD, stakeMicros: undefined }],
    ['lifetimeS 0.5 is not', { ...GOOD, lifetimeS: 0.5 }],
    ['lifetimeS 0 is not', { ...GOOD, lifetimeS: 0 }],
    ['reason is not a text but object', { ...GOOD, reason: { text: 'no' } }],
  ])('reports %s', (message, intent) => {
    const { intents, problems } = run(() => [intent as QuoteIntent, { ...GOOD, level: 1 }]);
    expect(intents).toEqual([{ ...GOOD, level: 1 }]);
    expect(problems).toMatchObject([{ kind: 'invalid-intent', selectionId: ID }]);
    expect(problems[0]?.message).toContain(message);
  });

  it('keeps lifetime and reason, the reason as a short text on one line', () => {
    const { intents } = run(() => [
      { ...GOOD, lifetimeS: 20, reason: 'fair 0.49' },
      { ...GOOD, level: 1, reason: `\u001b[2Jone\ntwo\u202e${'x'.repeat(300)}` },
    ]);
    expect(intents[0]).toEqual({ ...GOOD, lifetimeS: 20, reason: 'fair 0.49' });
    const { reason = '' } = intents[1] ?? {};
    expect(reason.length).toBe(200);
    expect(reason).toMatch(/^\ufffd\[2Jone\ufffdtwo\ufffdx+…$/);
  });

  it('names the field of what an order cannot ask for', () => {
    const messageOf = (change: object): string | undefined =>
      run(() => [{ ...GOOD, ...change } as QuoteIntent]).problems[0]?.message;
    expect(messageOf({ mode: 'take_only' })).toBe('mode take_only needs take: an id, for one order');
    expect(messageOf({ mode: 'dark', take: 'a' })).toBe(
      'mode dark cannot stand beside take: a take never rests',
    );
    expect(messageOf({ minTakerWantStakeMicros: 5 })).toBe('minTakerWantStakeMicros 5 needs the mode dark');
    expect(messageOf({ mode: 'dark', minTakerWantStakeMicros: 2e6 })).toBe(
      'minTakerWantStakeMicros 2000000 is more than the stake of the order, 1000000',
    );
    expect(messageOf({ sourceMinStakesMicros: { pin: -1 } })).toBe(
      'sourceMinStakesMicros.pin -1 is not a whole number of micros above 0',
    );
    expect(messageOf({ keepOpenInRunning: true, take: 'a' })).toBe(
      'keepOpenInRunning cannot stand beside take: a take never rests',
    );
  });

  it('passes on what an order asks for, as copies', () => {
    const minimums: Record<string, number> = { pin: 2e6 };
    const asks = { keepOpenInRunning: true, excludeDanger: true, sourceMinStakesMicros: minimums };
    const dark: QuoteIntent = { ...GOOD, ...asks, mode: 'dark', minTakerWantStakeMicros: 1e6 };
    const { intents, problems } = run(() => [dark, { ...GOOD, level: 1 }]);
    expect(problems).toEqual([]);
    expect(intents).toEqual([dark, { ...GOOD, level: 1 }]);
    minimums['pin'] = 9e6;
    expect(intents[0]?.sourceMinStakesMicros).toEqual({ pin: 2e6 });
  });

  it('passes on takes beside quotes, and the first of an id', () => {
    const take: QuoteIntent = { ...GOOD, take: 'a' };
    const { intents, problems } = run(() => [GOOD, take, { ...take, tick: 97 }, { ...take, take: 'b' }]);
    expect(intents).toEqual([GOOD, take, { ...take, take: 'b' }]);
    expect(problems.map(({ message }) => message)).toEqual(['duplicate']);
  });

  it.each<[string, Partial<QuoteIntent>]>([
    ['the other side', { direction: 'against', tick: 98 }],
    ['another level', { level: 1 }],
  ])('passes on the first take of an id alone, also where the second is on %s', (_, second) => {
    const { intents, problems } = run(() => [
      { ...GOOD, direction: 'for', take: 'a' },
      { ...GOOD, direction: 'for', take: 'a', ...second },
    ]);
    expect(intents.map(({ take, direction }) => [take, direction])).toEqual([['a', 'for']]);
    expect(problems.map(({ message }) => message)).toEqual(['duplicate']);
  });

  it('omits null and the second of two intents for one place', () => {
    const { intents, problems } = run(() => [GOOD, JSON.parse('null') as QuoteIntent, { ...GOOD, tick: 97 }]);
    expect(intents).toEqual([GOOD]);
    expect(problems.map(({ message }) => message)).toEqual([
      'selection is not part of the view',
      'duplicate',
    ]);
  });

  it('compares the minimum of takers with the stake that a size comes to', () => {
    // 3 of liability at 4.00 is a stake of 1.
    const sized = { stakeMicros: undefined, size: { liabilityMicros: 3e6 }, tick: tickOf(4) as number };
    const rules = (least: number): unknown =>
      run(() => [
        { ...GOOD, ...sized, mode: 'dark', minTakerWantStakeMicros: least } as object as QuoteIntent,
      ]).problems.map(({ refused }) => refused?.rule);
    expect([rules(1e6), rules(1e6 + 1)]).toEqual([[], ['min_taker_stake']]);
  });

  it.each<[string, Partial<QuoteIntent>, Partial<QuoteIntent>]>([
    ['quotes', {}, {}],
    ['a take and a quote', { take: 'a' }, {}],
    ['a quote and a take', {}, { take: 'a' }],
    ['takes', { take: 'a' }, { take: 'b' }],
  ])('omits a selection whose own sides would match each other: %s', (_, against, back) => {
    const { intents, problems } = run(() => [
      { ...GOOD, ...against },
      { ...GOOD, direction: 'for', tick: 98, ...back },
    ]);
    expect(intents).toEqual([]);
    expect(problems).toMatchObject([{ kind: 'self-cross', selectionId: ID }]);
  });

  it.each([
    ['throws', () => JSON.parse('{') as QuoteIntent[]],
    ['throws what has no text', () => throwBare()],
    ['answers no array', () => ({}) as QuoteIntent[]],
  ])('gives an event no quotes when its strategy %s', (_, quote) => {
    const { intents, problems } = run(quote);
    expect(intents).toEqual([]);
    expect(problems).toMatchObject([{ kind: 'threw', strategy: 'test', selectionId: null }]);
  });

  it.each<[string, () => unknown]>([
    ['an answer', () => Promise.reject(new Error('no'))],
    ['an intent', () => [GOOD, Promise.reject(new Error('no'))]],
  ])('loses nothing else when it is promised %s and the promise fails', async (_, quote) => {
    const unhandled: unknown[] = [];
    const note = (error: unknown): void => void unhandled.push(error);
    process.on('unhandledRejection', note);
    const { problems } = run(quote as () => QuoteIntent[]);
    await setImmediate();
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
    expect(problems).toHaveLength(1);
  });
});
