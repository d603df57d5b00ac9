import { describe, expect, it } from 'vitest';
import { KeyInForce, Secret } from '../../src/domain/secret.ts';
import type { StreamSignal } from '../../src/domain/stream.ts';
import { createLogger } from '../../src/ops/logger.ts';
import { json, ok } from './support/fake-transports.ts';
import { KEY, makeRig, settled } from './support/make-venue.ts';

const NEXT = 'next-canary-77ab';

const rigWith = (answer: Parameters<typeof makeRig>[0] = () => ok([])) => {
  const keys = new KeyInForce(new Secret(KEY));
  const lines: string[] = [];
  const logger = createLogger('debug', { write: (line: string) => void lines.push(line) });
  return { keys, lines, ...makeRig(answer, { apiKey: keys, logger }) };
};

describe('a key that was replaced', () => {
  it('is on no later request, and the stream connects with the new one at once', async () => {
    const rig = rigWith();
    const signals: StreamSignal[] = [];
    rig.venue.stream$.subscribe((signal) => signals.push(signal));
    rig.sockets.last.begin();
    await settled(rig.clock, rig.venue.xrates());
    rig.keys.replace(new Secret(NEXT));
    rig.venue.onKeyReplaced();
    await rig.clock.advance(0);
    await settled(rig.clock, rig.venue.xrates());
    expect(rig.http.requests.map(({ headers }) => headers['x-api-key'])).toEqual([KEY, NEXT]);
    expect(rig.sockets.opened.map(({ query }) => query['api_key'])).toEqual([KEY, NEXT]);
    expect(signals.find(({ kind }) => kind === 'closed')).toMatchObject({
      reason: 'the API key was changed',
      retryInMs: 0,
    });
    rig.sockets.last.begin();
    expect(signals.at(-1)).toEqual({ kind: 'synced', epoch: 2 });
  });

  it('ends the refusal of the one before: requests are sent again', async () => {
    const rig = rigWith(({ headers }) =>
      headers['x-api-key'] === NEXT ? ok([]) : json(401, { status: 'error', code: 'auth_error', data: null }),
    );
    await expect(settled(rig.clock, rig.venue.xrates())).rejects.toThrow();
    expect(rig.venue.keyRefusal).not.toBeNull();
    rig.keys.replace(new Secret(NEXT));
    rig.venue.onKeyReplaced();
    expect(rig.venue.keyRefusal).toBeNull();
    expect(await settled(rig.clock, rig.venue.xrates())).toEqual([]);
  });

  it('leaves the backoff of later failures as it is', async () => {
    const rig = rigWith();
    const signals: StreamSignal[] = [];
    rig.venue.stream$.subscribe((signal) => signals.push(signal));
    rig.venue.onKeyReplaced();
    await rig.clock.advance(0);
    rig.sockets.last.handlers.onRefused(401, 'auth_rejected');
    expect(signals.at(-1)).toMatchObject({ kind: 'closed', retryInMs: null });
  });

  it('refused while it was replaced says nothing: the request goes again with the new one', async () => {
    const rig = rigWith(({ headers }) => {
      if (headers['x-api-key'] === NEXT) return ok([]);
      rig.keys.replace(new Secret(NEXT));
      return json(401, { status: 'error', code: 'auth_error', data: null });
    });
    expect(await settled(rig.clock, rig.venue.xrates())).toEqual([]);
    expect(rig.http.requests.map(({ headers }) => headers['x-api-key'])).toEqual([KEY, NEXT]);
  });

  it.each([
    [200, { status: 'ok', data: [] }, []],
    [400, { status: 'error', code: 'validation_error', data: null }, 'VenueRejection'],
    [403, { status: 'error', code: 'forbidden', data: null }, 'VenueRejection'],
    [404, { status: 'error', code: 'not_found', data: null }, 'VenueRejection'],
  ])(
    'whose request was answered %i while it was replaced has that answer, and is not sent again',
    async (status, body, value) => {
      const rig = rigWith(() => {
        rig.keys.replace(new Secret(NEXT));
        return json(status, body);
      });
      const answered = rig.venue.xrates().catch((error: unknown) => {
        expect(error).toMatchObject({ status });
        return 'VenueRejection';
      });
      expect(await settled(rig.clock, answered)).toEqual(value);
      expect(rig.http.requests).toHaveLength(1);
      expect(rig.venue.keyRefusal).toBeNull();
    },
  );

  it('keeps the old key and the new one out of every text', async () => {
    const rig = rigWith(() => json(400, { status: 'error', code: `${KEY} ${NEXT}`, data: null }));
    rig.keys.replace(new Secret(NEXT));
    const refusal = settled(rig.clock, rig.venue.xrates()).then(() => 'accepted', String);
    expect([await refusal, ...rig.lines].join('\n')).not.toMatch(/canary|accepted/);
    expect(rig.keys.redact(`${KEY} and ${NEXT}`)).toBe('[secret] and [secret]');
  });
});
