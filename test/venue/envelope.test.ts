import { describe, expect, it } from 'vitest';
import { ProtocolError, VenueRejection } from '../../src/domain/errors.ts';
import { openEnvelope, type RetryAfter } from '../../src/venue/wire/envelope.ts';
import { silentSurvey } from '../../src/venue/wire/survey.ts';

interface Answer {
  readonly status?: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

function opened({ status = 200, body = '', headers = {} }: Answer, bounds?: RetryAfter): unknown {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return openEnvelope({ status, body: text, headers }, silentSurvey, bounds);
}

function refused(answer: Answer, bounds?: RetryAfter): VenueRejection {
  try {
    opened(answer, bounds);
  } catch (error) {
    if (error instanceof VenueRejection) return error;
    throw error;
  }
  throw new Error('not refused');
}

const NOW = 'Sat, 28 Nov 2026 12:00:00 GMT';
const IN_20_S = 'Sat, 28 Nov 2026 12:00:20 GMT';
const A_MINUTE_AGO = 'Sat, 28 Nov 2026 11:59:00 GMT';
const throttled = (data: unknown, headers = {}): Answer => ({
  status: 429,
  headers,
  body: { status: 'error', code: 'throttled', data },
});

describe('the wait that a refusal asks for, in seconds', () => {
  it.each<[Answer, number | null]>([
    [throttled({ retry_after: 7 }), 7],
    [throttled({ retry_after: '7.5' }), 7.5],
    [throttled({ retry_after: 7 }, { 'retry-after': '9' }), 7],
    [throttled({}, { 'retry-after': '9' }), 9],
    [throttled(null, { 'retry-after': '9' }), 9],
    [throttled({}, { 'retry-after': IN_20_S, date: NOW }), 20],
    [throttled({}, { 'retry-after': A_MINUTE_AGO, date: NOW }), 1],
    [throttled({}, { 'retry-after': IN_20_S }), null],
    [throttled({}, { 'retry-after': 'soon', date: NOW }), null],
    [throttled({ retry_after: null }), null],
    [throttled({ retry_after: 0 }), 1],
    [throttled({ retry_after: -5 }), 1],
    [throttled({ retry_after: 1 }), 1],
    [throttled({ retry_after: 180 }), 180],
    [throttled({ retry_after: 181 }), 180],
    [throttled({ retry_after: 99_999_999_999 }), 180],
    // The code or the status alone says it.
    [{ ...throttled({ retry_after: 7 }), status: 400 }, 7],
    [{ status: 429, body: { status: 'error', code: 'odd', data: { retry_after: 7 } } }, 7],
    [{ status: 429, body: { status: 'error', data: { retry_after: 7 } } }, 7],
    [{ status: 429, body: '<html>', headers: { 'retry-after': '9' } }, 9],
    [{ status: 429, body: '<html>' }, null],
    // No other refusal asks for a wait.
    [{ status: 400, body: { status: 'error', code: 'order_closed', data: { retry_after: 7 } } }, null],
    [{ status: 503, body: '', headers: { 'retry-after': '9' } }, null],
  ])('%# is %o: %s', (answer, seconds) => {
    expect(refused(answer).retryAfterS).toBe(seconds);
  });

  it.each<[string, (seconds: number) => Answer]>([
    ['the body', (seconds) => throttled({ retry_after: seconds })],
    ['a header', (seconds) => throttled({}, { 'retry-after': `${seconds}` })],
    [
      'a header alone, of a proxy',
      (seconds) => ({ status: 429, body: '<html>', headers: { 'retry-after': `${seconds}` } }),
    ],
  ])(
    'is bounded by a day where the limit is one of the day, and by minutes elsewhere: in %s',
    (_, asking) => {
      const waits = (bounds?: RetryAfter) =>
        [0, 181, 86_400, 86_401, 1e11].map((seconds) => refused(asking(seconds), bounds).retryAfterS);
      expect(waits('retry_after.betslips')).toEqual([1, 181, 86_400, 86_400, 86_400]);
      expect(waits()).toEqual([1, 180, 180, 180, 180]);
    },
  );
});

describe('an answer', () => {
  it.each([
    [{ status: 200, body: { status: 'ok', data: [1] } }, [1]],
    [{ status: 202, body: { status: 'ok', data: null } }, null],
    [{ status: 201, body: { status: 'ok' } }, null],
    [{ status: 399, body: { status: 'ok', data: 0 } }, 0],
  ])('%# has data', (answer, data) => {
    expect(opened(answer)).toEqual(data);
  });

  it.each<[number, string | null]>([
    [200, null],
    [302, null],
    [400, null],
    [403, null],
    [404, null],
    [401, 'auth_error'],
    [429, 'throttled'],
    [499, null],
    [500, 'server_error'],
    [502, 'server_error'],
    [503, 'unavailable'],
    [504, 'server_error'],
  ])(
    'of status %d without an envelope is the refusal %s; without one it is no answer of the exchange',
    (status, code) => {
      const bodies = ['', '<html>', '[]', 'null', { data: 1 }, { status: 'odd' }, { status: 'ok' }];
      // Data of a failure is no data.
      for (const body of status < 400 ? bodies.slice(0, -1) : bodies)
        if (code === null) expect(() => opened({ status, body })).toThrow(ProtocolError);
        else expect(refused({ status, body })).toMatchObject({ code, status });
      const bare = { status: 'error', data: null };
      if (code === null) expect(() => opened({ status, body: bare })).toThrow('an error without a code');
      else expect(refused({ status, body: bare })).toMatchObject({ code, status });
    },
  );

  it.each<[unknown, string]>([
    [{ message: 'too many' }, 'odd: too many'],
    [{ detail: 'too few' }, 'odd: too few'],
    [{ message: 'this', detail: 'not this' }, 'odd: this'],
    [{ message: 5 }, 'the exchange answered odd'],
    ['plain', 'odd: plain'],
    [null, 'the exchange answered odd'],
    [['An error has occurred, token:', 'x'], 'the exchange answered odd'],
    [{ validation_errors: { stake: ['low', 'odd'], price: 'high' } }, 'odd: stake: low, odd; price: high'],
    [{ validation_errors: { legs: { 0: { bet_type: [{ a: 1 }] } } } }, 'odd: legs.0.bet_type: {"a":1}'],
    [{ validation_errors: {}, message: 'all' }, 'odd: all'],
  ])('says why it refuses: %o', (data, message) => {
    expect(refused({ status: 400, body: { status: 'error', code: 'odd', data } }).message).toBe(message);
  });

  it.each([
    [7, 7],
    ['8', 8],
    [1, 1],
    [0, null],
    [-3, null],
    [2 ** 53 - 1, 2 ** 53 - 1],
    [2 ** 53, null],
    ['x', null],
    [undefined, null],
  ])('names the order that exists already: %s', (given, orderId) => {
    const body = { status: 'error', code: 'order_already_created', data: { order_id: given } };
    expect(refused({ status: 409, body })).toMatchObject({ orderId });
  });
});
