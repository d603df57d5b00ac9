import { describe, expect, it } from 'vitest';
import { createPrometheusMetrics } from '../../src/ops/metrics.ts';
import { makeRig } from './support/make-venue.ts';

/** A venue whose metrics are read, and its stream. */
function measured() {
  const metrics = createPrometheusMetrics({ processMetrics: false });
  const rig = makeRig(undefined, { metrics });
  const lines = async (pattern: RegExp): Promise<string[]> =>
    (await metrics.expose()).text.match(pattern) ?? [];
  return {
    ...rig,
    state: async () => (await lines(/^touchline_stream_state.* 1$/gm)).map((line) => line.split('"')[1]),
    value: async (name: string) => Number((await lines(new RegExp(`^${name} .*`, 'gm')))[0]?.split(' ')[1]),
  };
}

describe('the metrics of the stream', () => {
  it('show the present state of the connection alone', async () => {
    const { venue, sockets, clock, state } = measured();
    expect(await state()).toEqual(['closed']);
    venue.stream$.subscribe();
    expect(await state()).toEqual(['connecting']);
    sockets.last.handlers.onOpen();
    expect(await state()).toEqual(['open']);
    sockets.last.push(['sync', {}]);
    expect(await state()).toEqual(['synced']);
    sockets.last.handlers.onClose(null, '');
    expect(await state()).toEqual(['closed']);
    await clock.advance(2_000);
    expect(await state()).toEqual(['connecting']);
    await venue.close();
    expect(await state()).toEqual(['closed']);
  });

  it('count every connection after the first as a reconnect', async () => {
    const { venue, sockets, clock, value } = measured();
    venue.stream$.subscribe();
    sockets.last.begin();
    expect(await value('touchline_stream_reconnects_total')).toBe(0);
    for (let time = 0; time < 2; time++) {
      sockets.last.handlers.onClose(null, '');
      await clock.advance(10_000);
    }
    expect(await value('touchline_stream_reconnects_total')).toBe(2);
  });

  it('show how long the exchange takes to repeat an echo', async () => {
    const { venue, sockets, clock, value } = measured();
    venue.stream$.subscribe();
    const { last: socket } = sockets;
    socket.onEcho = (nonce) =>
      void clock.after(250, () => socket.push(['response', { status: 'ok', data: [nonce] }]));
    socket.begin();
    await clock.advance(5_000);
    expect(await value('touchline_venue_stream_round_trip_seconds')).toBe(0.25);
  });

  it('show the age of the last frame, or the time since the start before the first', async () => {
    const { venue, sockets, clock, value } = measured();
    venue.stream$.subscribe();
    await clock.advance(3_000);
    expect(await value('touchline_stream_frame_age_seconds')).toBe(3);
    sockets.last.begin();
    expect(await value('touchline_stream_frame_age_seconds')).toBe(0);
    await clock.advance(1_500);
    expect(await value('touchline_stream_frame_age_seconds')).toBe(1.5);
  });
});
