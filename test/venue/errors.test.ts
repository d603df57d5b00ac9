import { describe, expect, it } from 'vitest';
import { outcomeOf, ProtocolError, VenueRejection } from '../../src/domain/errors.ts';
import type { HttpAnswer } from '../../src/ports/transport.ts';
import { openEnvelope, type RetryAfter } from '../../src/venue/wire/envelope.ts';
import * as errors from '../../src/venue/wire/errors.ts';
import { silentSurvey, type Survey } from '../../src/venue/wire/survey.ts';
import { json, refused } from './support/fake-transports.ts';

function failure(answer: HttpAnswer, survey: Survey = silentSurvey): Error {
  try {
    openEnvelope(answer, survey);
  } catch (error) {
    return error as Error;
  }
  throw new Error('the answer was taken for a success');
}

interface Row {
  readonly status: number;
  readonly code: string;
  readonly data: unknown;
  readonly type: new (...args: never[]) => VenueRejection;
  readonly facts?: Partial<VenueRejection>;
}

const rows: readonly Row[] = [
  {
    status: 400,
    code: 'validation_error',
    data: { validation_errors: { timeout: ['Ensure this value is less than or equal to 300.'] } },
    type: errors.ValidationError,
    facts: { validation: { timeout: ['Ensure this value is less than or equal to 300.'] } },
  },
  { status: 400, code: 'order_closed', data: null, type: errors.OrderClosed },
  { status: 400, code: 'invalid_bet_type', data: { bet_type: 'x' }, type: errors.InvalidBetType },
  { status: 401, code: 'auth_error', data: { detail: 'no' }, type: errors.AuthError },
  { status: 403, code: 'forbidden', data: null, type: errors.Forbidden },
  { status: 403, code: 'too_many_open_betslips', data: null, type: errors.TooManyOpenBetslips },
  { status: 403, code: 'invalid_customer', data: null, type: errors.InvalidCustomer },
  { status: 404, code: 'not_found', data: null, type: errors.NotFound },
  {
    status: 409,
    code: 'order_already_created',
    data: { order_id: 12, message: 'exists' },
    type: errors.OrderAlreadyCreated,
    facts: { orderId: 12 },
  },
  { status: 409, code: 'limit_reached', data: { detail: 'tokens' }, type: errors.LimitReached },
  {
    status: 429,
    code: 'throttled',
    data: { message: 'slow down', retry_after: 7 },
    type: errors.Throttled,
    facts: { retryAfterS: 7 },
  },
  {
    status: 500,
    code: 'server_error',
    data: ['An error has occurred, token:', 'tok-1'],
    type: errors.ServerError,
    facts: { details: { message: 'An error has occurred, token:', token: 'tok-1' } },
  },
  { status: 503, code: 'warming', data: null, type: errors.Warming },
];

describe('the error table', () => {
  it.each(rows)('$status $code', ({ status, code, data, type, facts = {} }) => {
    const error = failure(refused(status, code, data));
    expect(error).toBeInstanceOf(type);
    expect(error).toMatchObject({ code, status, ...facts });
    expect(error.name).toBe(type.name);
  });

  it('503 without an envelope', () => {
    const error = failure(json(503, { detail: 'Service unavailable' }));
    expect(error).toBeInstanceOf(errors.Unavailable);
    expect(outcomeOf(error)).toBe('unknown');
  });

  it('keys a rejected list by field and index', () => {
    const data = {
      validation_errors: { order_ids: { '0': ['bad'], '3': ['worse'] }, non_field_errors: 'x' },
    };
    const error = failure(refused(400, 'validation_error', data)) as VenueRejection;
    expect(error.validation).toEqual({
      'order_ids.0': ['bad'],
      'order_ids.3': ['worse'],
      non_field_errors: ['x'],
    });
    expect(error.message).toContain('order_ids.0: bad');
  });

  it('takes the wait of a 429 from the header when the body has none', () => {
    const error = failure(
      json(429, { status: 'error', code: 'throttled', data: null }, { 'retry-after': '4' }),
    );
    expect(error).toMatchObject({ retryAfterS: 4 });
    expect(failure({ status: 429, headers: {}, body: '<html>' })).toMatchObject({
      code: 'throttled',
      retryAfterS: null,
    });
  });

  it('tolerates an unknown code, and counts it', () => {
    const noted: string[] = [];
    const error = failure(refused(418, 'teapot', { why: 1 }), {
      note: (kind, name) => noted.push(`${kind} ${name}`),
    });
    expect(error).toBeInstanceOf(VenueRejection);
    expect(error).toMatchObject({ code: 'teapot', status: 418, details: { why: 1 } });
    expect(noted).toEqual(['code teapot']);
  });

  it('prefers the envelope to the status', () => {
    expect(failure(refused(200, 'not_found'))).toBeInstanceOf(errors.NotFound);
  });

  it.each([
    ['a 404 page of a proxy', { status: 404, headers: {}, body: '<h1>Not Found</h1>' }],
    ['a cut body', { status: 200, headers: {}, body: '{"status":"ok","da' }],
    ['no body', { status: 200, headers: {}, body: '' }],
    ['another shape', json(200, [1, 2, 3])],
    ['an ok with an error status', json(400, { status: 'ok', data: null })],
    ['an error without a code', json(400, { status: 'error' })],
    ['a redirect', { status: 302, headers: {}, body: '' }],
  ] satisfies [string, HttpAnswer][])('treats %s as no evidence of anything', (_name, answer) => {
    const error = failure(answer);
    expect(error).toBeInstanceOf(ProtocolError);
    expect(outcomeOf(error)).toBe('unknown');
  });
});

describe('a wait that cannot be meant', () => {
  const noted: [string, string][] = [];
  const survey: Survey = { note: (kind, name) => void noted.push([kind, name]) };
  /** The wait that a 429 gives, and what the survey learns. */
  function waitFor(value: unknown, bounds: RetryAfter = 'retry_after', inHeader = false) {
    noted.length = 0;
    const body = { status: 'error', code: 'throttled', data: inHeader ? {} : { retry_after: value } };
    const headers: Record<string, string> = inHeader ? { 'retry-after': String(value) } : {};
    try {
      openEnvelope({ status: 429, headers, body: JSON.stringify(body) }, survey, bounds);
    } catch (error) {
      return [(error as VenueRejection).retryAfterS, noted.map(([kind]) => kind)];
    }
    throw new Error('no refusal');
  }
  const OUT = ['out-of-bounds'];

  it.each([
    [99_999_999_999, 180, OUT],
    [1e300, 180, OUT],
    ['99999999999', 180, OUT],
    [181, 180, OUT],
    [180, 180, []],
    [1, 1, []],
    [7.5, 7.5, []],
    [0.5, 1, OUT],
    [0, 1, OUT],
    [-5, 1, OUT],
    [-1e300, 1, OUT],
  ] as const)('%s becomes %s', (value, expected, notes) => {
    expect(waitFor(value)).toEqual([expected, notes]);
    expect(waitFor(value, 'retry_after', true)).toEqual([expected, notes]);
  });

  it('may be a day for betslips', () => {
    expect(waitFor(86_400, 'retry_after.betslips')).toEqual([86_400, []]);
    expect(waitFor(99_999_999_999, 'retry_after.betslips')).toEqual([86_400, OUT]);
    expect(waitFor(0, 'retry_after.betslips')).toEqual([1, OUT]);
  });

  it('is named with what is used instead', () => {
    waitFor(-5);
    expect(noted).toEqual([['out-of-bounds', 'retry_after=-5, taken as 1']]);
  });
});
