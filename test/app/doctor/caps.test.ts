import { describe, expect, it } from 'vitest';
import { betslipCap, betslipsOfTheDay, type CapsKnown, requestRates } from '../../../src/app/doctor/caps.ts';
import type { RunningDaemon } from '../../../src/app/doctor/lock.ts';
import type { ExchangeClient } from '../../../src/app/exchange/connect.ts';
import type { LimitsRecord } from '../../../src/app/journal/limits-memory.ts';

const AT_MS = Date.parse('2026-03-01T12:00:00Z');

/** What an earlier run has learned. */
const learned = (cap: number, isLearned = true, throttled = 0): LimitsRecord =>
  ({
    atMs: AT_MS,
    throttled,
    registeredEvents: null,
    openBetslips: { cap, learned: isLearned },
  }) as unknown as LimitsRecord;

const KNOWN: CapsKnown = {
  openBetslips: 10,
  perDay: 100,
  dailyReserve: 5,
  paperShare: null,
  remembered: null,
  betslipsAtMs: [],
};
const DAEMON = { who: 'process 7' } as RunningDaemon;

/** An exchange with these open betslips that has answered 429 so often. */
const exchangeWith = (open: number, throttledCount = 0): ExchangeClient =>
  ({
    betslips: { list: async () => Array<null>(open).fill(null) },
    throttledCount,
  }) as unknown as ExchangeClient;

describe('the cap of open betslips', () => {
  it.each<[what: string, open: number, known: Partial<CapsKnown>, isFine: boolean, cap: string]>([
    ['one below the assumed cap', 9, {}, true, 'cap 10, assumed'],
    ['the assumed cap', 10, {}, false, 'cap 10, assumed'],
    ['one below a learned cap', 2, { remembered: learned(3) }, true, 'cap 3, learned'],
    ['a learned cap', 3, { remembered: learned(3) }, false, 'cap 3, learned'],
    ['what was only assumed before, too', 3, { remembered: learned(3, false) }, true, 'cap 10, assumed'],
  ])('is met by %s, unless a daemon uses them', async (_, open, known, isFine, cap) => {
    const ask = (daemon: RunningDaemon | null) =>
      betslipCap(exchangeWith(open), { ...KNOWN, ...known }, daemon);
    const found = await ask(null).catch((error: unknown) => `refused: ${(error as Error).message}`);
    expect(found).toContain(`${open} open; ${cap}`);
    expect(found.startsWith('refused')).toBe(!isFine);
    expect(await ask(DAEMON)).toMatch(/; the running daemon uses them$/);
  });
});

describe('the betslips of the day', () => {
  /** So many requests, a minute apart. */
  const made = (count: number): readonly number[] =>
    Array.from({ length: count }, (_, n) => AT_MS + 60_000 * n);

  it.each([
    [0, 100, true],
    [94, 6, true],
    [95, 5, false],
    [100, 0, false],
  ])('after %d of 100 are %d, of which 5 are reserved: enough for a start is %s', (count, left, isEnough) => {
    const known = { ...KNOWN, betslipsAtMs: made(count) };
    const ask = (daemon: RunningDaemon | null) => () => betslipsOfTheDay(known, daemon);
    // The oldest request is forgotten a day later.
    const next = '; the next comes free at 2026-03-02T12:00:00Z';
    const found = `${left} of 100 left by the journal; what other programs made is not in it`;
    if (isEnough) expect(ask(null)()).toBe(found);
    else expect(ask(null)).toThrow(new Error(found + next));
    expect(ask(DAEMON)()).toBe(isEnough ? found : found + next);
  });

  it('are assumed without a journal', () => {
    expect(betslipsOfTheDay({ ...KNOWN, betslipsAtMs: null }, null)).toContain('100 left, assumed');
  });
});

describe('the request rates', () => {
  it.each([
    [1, 'still 1 answer 429'],
    [2, 'still 2 answers 429'],
  ])('are a fault once the exchange has answered 429, be it %d times', (count, words) => {
    expect(() => requestRates(exchangeWith(0, count), KNOWN)).toThrow(words);
  });

  it.each<[remembered: LimitsRecord | null, words: string]>([
    [null, 'assumed: nothing was written down'],
    [learned(3), '; no 429 in the run that ended or wrote 2026-03-01T12:00:00Z'],
    [learned(3, true, 1), '; 1 answer 429 in the run'],
    [learned(3, true, 2), '; 2 answers 429 in the run'],
  ])('tell what an earlier run has met', (remembered, words) => {
    expect(requestRates(exchangeWith(0), { ...KNOWN, remembered })).toContain(words);
  });
});
