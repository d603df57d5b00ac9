import { describe, expect, it } from 'vitest';
import { ProtocolError, TransportError, VenueRejection } from '../../src/domain/errors.ts';
import { seededRandom } from '../../src/lib/random.ts';
import { DEFAULT_RETRY, type Repeat, retryDelayMs } from '../../src/venue/rest/retry.ts';

const delayOf = (error: unknown, repeat: Repeat = 'safe', attempt = 0): number | null =>
  retryDelayMs(error, repeat, attempt, DEFAULT_RETRY, seededRandom(1, 'retry'));
const refused = (status: number, retryAfterS: number | null = null): VenueRejection =>
  new VenueRejection('code', status, 'no', { retryAfterS });

describe('the wait before a request is sent again', () => {
  it.each([
    [1, 1_000],
    [7.5, 7_500],
    [120, 120_000],
    [120.001, null],
    [180, null],
    [86_400, null],
  ])('is what a 429 asks for, %d s, up to two minutes: %s', (retryAfterS, delayMs) => {
    for (const repeat of ['safe', 'unsafe'] as const)
      expect(delayOf(refused(429, retryAfterS), repeat)).toBe(delayMs);
  });

  it.each<[string, unknown, boolean, boolean]>([
    ['a 429 that asks for nothing', refused(429), true, true],
    ['a request that was not sent', new TransportError('not-sent', 'x'), true, true],
    ['a request of unknown outcome', new TransportError('unknown', 'x'), true, false],
    ['an answer that cannot be read', new ProtocolError('x'), true, false],
    ['an answer 500', refused(500), true, false],
    ['an answer 503', refused(503), true, false],
    ['an answer 499', refused(499), false, false],
    ['an answer 400', refused(400), false, false],
    ['an answer 401', refused(401), false, false],
    ['an answer 404', refused(404), false, false],
    ['a fault of ours', new TypeError('x'), false, false],
  ])('after %s there is one if it is safe: %s; if it is not: %s', (_, error, safe, unsafe) => {
    expect(delayOf(error, 'safe') !== null).toBe(safe);
    expect(delayOf(error, 'unsafe') !== null).toBe(unsafe);
    expect(delayOf(error, 'once')).toBeNull();
  });

  it.each([0, 1, 2, 3, 4])('ends after four attempts: attempt %i', (attempt) => {
    expect(delayOf(refused(503), 'safe', attempt) !== null).toBe(attempt < 3);
    expect(delayOf(refused(429, 5), 'safe', attempt)).toBe(attempt < 3 ? 5_000 : null);
  });
});
