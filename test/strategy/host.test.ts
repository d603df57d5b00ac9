import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { StrategyAnswer } from '../../src/strategy/host.ts';
import { quoteValue } from '../../src/strategy/pricing/placement.ts';
import { defineStrategy, type QuoteIntent, type SelectionId, z } from '../../src/strategy/sdk.ts';
import { eventView, selectionView } from './support.ts';
import { hostedBy, stillSurroundings } from '../support/strategy-host.ts';

const VIEW = eventView([selectionView([[2, 10]], [[2.1, 10]])]);
const ID = VIEW.selections[0]?.selectionId as SelectionId;
const GOOD: QuoteIntent = { selectionId: ID, direction: 'against', tick: 98, stakeMicros: 1e6, level: 0 };

function run(quote: () => readonly QuoteIntent[]): StrategyAnswer {
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

  it.each(['take_only', 'dark'] as const)('omits %s, which is not placed yet', (mode) => {
    const { intents, problems } = run(() => [
      { ...GOOD, mode },
      { ...GOOD, level: 1, mode: 'make_and_take' },
    ]);
    expect(intents).toEqual([{ ...GOOD, level: 1, mode: 'make_and_take' }]);
    expect(problems).toMatchObject([{ kind: 'invalid-intent', message: `${mode} is not placed yet` }]);
  });

  it('omits null and the second of two intents for one place', () => {
    const { intents, problems } = run(() => [GOOD, JSON.parse('null') as QuoteIntent, { ...GOOD, tick: 97 }]);
    expect(intents).toEqual([GOOD]);
    expect(problems.map(({ message }) => message)).toEqual([
      'selection is not part of the view',
      'duplicate',
    ]);
  });

  it('omits a selection whose own sides would match each other', () => {
    const { intents, problems } = run(() => [GOOD, { ...GOOD, direction: 'for', tick: 98 }]);
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
