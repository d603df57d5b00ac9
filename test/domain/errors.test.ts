import { describe, expect, it } from 'vitest';
import {
  ConfigError,
  HistoryError,
  isNotFound,
  JournalDamage,
  JournalError,
  outcomeOf,
  ProtocolError,
  RecordingError,
  TouchlineError,
  TransportError,
  VenueRejection,
} from '../../src/domain/errors.ts';

const CAUSE = new Error('the disk is full');
const DETAILS = { at: 7 };

describe('an expected failure', () => {
  it.each([
    ['config', ConfigError],
    ['protocol', ProtocolError],
    ['journal', JournalError],
    ['journal', JournalDamage],
    ['history', HistoryError],
    ['recording', RecordingError],
  ] as const)('has the code %s, its own name, its details and its cause', (code, Kind) => {
    const error = new Kind('it failed', DETAILS, CAUSE);
    expect(error).toBeInstanceOf(TouchlineError);
    expect(error).toMatchObject({ code, name: Kind.name, message: 'it failed', details: DETAILS });
    expect(error.cause).toBe(CAUSE);
    const bare = new Kind('it failed');
    expect(bare.details).toEqual({});
    expect('cause' in bare).toBe(false);
  });

  it('of the transport tells whether the request may have arrived', () => {
    for (const outcome of ['not-sent', 'unknown'] as const) {
      const error = new TransportError(outcome, 'reset', DETAILS, CAUSE);
      expect(error).toMatchObject({ code: 'transport', name: 'TransportError', outcome, details: DETAILS });
      expect(error.cause).toBe(CAUSE);
      expect(new TransportError(outcome, 'reset').details).toEqual({});
    }
  });

  it('that the exchange answers has its code and its facts', () => {
    expect(new VenueRejection('throttled', 429, 'slow down')).toMatchObject({
      code: 'throttled',
      status: 429,
      message: 'slow down',
      name: 'VenueRejection',
      details: {},
      retryAfterS: null,
      orderId: null,
      validation: {},
    });
    const facts = { retryAfterS: 3, orderId: 8, validation: { price: ['too high'] }, details: DETAILS };
    expect(new VenueRejection('validation_error', 400, 'no', facts)).toMatchObject(facts);
  });
});

it('only the answer 404 says that a thing does not exist', () => {
  for (const status of [400, 403, 405, 500])
    expect(isNotFound(new VenueRejection('x', status, ''))).toBe(false);
  expect(isNotFound(new VenueRejection('not_found', 404, ''))).toBe(true);
  expect([isNotFound({ status: 404 }), isNotFound(null)]).toEqual([false, false]);
});

it.each([
  [new VenueRejection('x', 400, ''), 'refused'],
  [new VenueRejection('x', 499, ''), 'refused'],
  [new VenueRejection('x', 500, ''), 'unknown'],
  [new VenueRejection('x', 503, ''), 'unknown'],
  [new TransportError('not-sent', ''), 'not-sent'],
  [new TransportError('unknown', ''), 'unknown'],
  [new ProtocolError(''), 'unknown'],
  [new Error('bug'), 'unknown'],
  [null, 'unknown'],
])('a request that ends with %o is %s', (error, outcome) => {
  expect(outcomeOf(error)).toBe(outcome);
});
