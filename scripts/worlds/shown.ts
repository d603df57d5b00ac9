/**
 * When the exchange shows the offers of an event. A strategy can follow what it is shown, and no sooner: quotes that move before the
 * broadcast that moves them would leave a price just before what happened at it is seen.
 */
import type { SocketTransport } from '../../src/ports/transport.ts';

/** Calls back with `sport|event` after each frame with offers of that event. Watches every event that the stream names. */
export function watchOffers(sockets: SocketTransport, key: string, onShown: (event: string) => void): void {
  const stream = sockets.open(
    { api_key: key },
    {
      onOpen: () => undefined,
      onMessage(data) {
        const shown = new Set<string>();
        for (const [tag, payload] of entriesOf(data)) {
          if (tag === 'event')
            stream.send(JSON.stringify(['register_event', payload.sport, payload.event_id]));
          if (tag === 'offer') shown.add(`${payload.sport}|${payload.event_id}`);
        }
        for (const event of shown) onShown(event);
      },
      onRefused: (status) => ended(`refused with ${status}`),
      onClose: (code) => ended(`closed with ${code ?? 'nothing'}`),
    },
  );
}

type Entry = readonly [tag: string, payload: { readonly sport?: string; readonly event_id?: string }];

const entriesOf = (data: Uint8Array): readonly Entry[] =>
  (JSON.parse(Buffer.from(data).toString('utf8')) as { readonly data?: readonly Entry[] }).data ?? [];

function ended(how: string): never {
  throw new Error(`the stream that is watched for offers was ${how}`);
}
