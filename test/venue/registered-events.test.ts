import { describe, expect, it } from 'vitest';
import { ProtocolError, VenueRejection } from '../../src/domain/errors.ts';
import type { FakeSocket } from './support/fake-transports.ts';
import { type ClientRig, makeClient } from './support/make-client.ts';
import { settled } from './support/make-venue.ts';

/** A client in sync. `answer` is the exchange's reaction to each command except an echo. */
function synced(answer: (socket: FakeSocket) => void): ClientRig {
  const rig = makeClient();
  rig.client.stream$.subscribe();
  rig.sockets.last.onSend = () => answer(rig.sockets.last);
  rig.sockets.last.begin();
  return rig;
}

const says = (response: Record<string, unknown>) => (socket: FakeSocket) =>
  socket.push(['response', response]);

describe('the list of registered events', () => {
  it('is requested from the exchange, and read', async () => {
    const registered = [
      ['fb', '2026-01-01,1,2'],
      ['tennis', '2026-01-01,3,4'],
    ];
    const rig = synced(says({ status: 'ok', data: { registered_events: registered } }));
    expect(await rig.client.registeredEvents()).toEqual([
      { sport: 'fb', eventId: '2026-01-01,1,2' },
      { sport: 'tennis', eventId: '2026-01-01,3,4' },
    ]);
    expect(rig.sockets.last.commands()).toEqual([['list_registered_events']]);
  });

  it('is not requested before sync, or without a connection', async () => {
    const rig = makeClient();
    await expect(rig.client.registeredEvents()).rejects.toMatchObject({ outcome: 'not-sent' });
    rig.client.stream$.subscribe();
    rig.sockets.last.handlers.onOpen();
    await expect(rig.client.registeredEvents()).rejects.toMatchObject({ outcome: 'not-sent' });
    expect(rig.sockets.last.commands()).toEqual([]);
  });

  it('fails with the error that the exchange answers', async () => {
    const { client } = synced(says({ status: 'error', code: 'invalid_input' }));
    const failure = client.registeredEvents();
    await expect(failure).rejects.toBeInstanceOf(VenueRejection);
    await expect(failure).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it.each([
    null,
    [],
    { registered_events: null },
    { registered_events: [['fb']] },
    { registered_events: [7] },
  ])('is not guessed at when the answer is %j', async (data) => {
    const { client } = synced(says({ status: 'ok', data }));
    await expect(client.registeredEvents()).rejects.toBeInstanceOf(ProtocolError);
  });

  it('fails when nothing is answered in time, when the connection ends, and when the client closes', async () => {
    const silent = synced(() => undefined);
    await expect(settled(silent.clock, silent.client.registeredEvents())).rejects.toMatchObject({
      outcome: 'unknown',
    });
    const late = silent.client.registeredEvents();
    silent.sockets.last.handlers.onClose(1006, '');
    await expect(late).rejects.toThrow('the stream ended');
    const closing = synced(() => undefined);
    const never = closing.client.registeredEvents();
    await closing.client.close();
    await expect(never).rejects.toThrow('the stream ended');
  });

  it('is not mistaken for the answer to a registration before it', async () => {
    const answers = [{ status: 'ok' }, { status: 'ok', data: { registered_events: [] } }];
    const rig = synced((socket) => socket.push(['response', answers.shift()]));
    rig.client.registerEvent('fb' as never, '2026-01-01,1,2' as never);
    expect(await rig.client.registeredEvents()).toEqual([]);
    expect(rig.client.registrations()).toMatchObject({ wanted: 1, registered: 1, cap: Infinity });
  });
});
