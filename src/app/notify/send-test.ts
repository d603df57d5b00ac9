import type { Channel } from '../../notify/channel.ts';
import type { Message, NotifyingRun } from '../../notify/notice.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Ids } from '../../ports/ids.ts';

/** What became of a test notification. */
export interface Tried {
  readonly channel: string;
  /** Null if it arrived. */
  readonly fault: string | null;
}

/** Sends one notification through each channel, once, and closes the channels. Never rejects. */
export async function sendTest(
  channels: readonly Channel[],
  run: NotifyingRun,
  { clock, ids }: { readonly clock: Clock; readonly ids: Ids },
): Promise<readonly Tried[]> {
  const message: Message = {
    kind: 'test',
    severity: 'info',
    phase: 'event',
    title: 'Test',
    suppressed: {},
    run,
    text: 'Notifications of Touchline arrive here.',
    id: ids.uuid(),
    atMs: clock.wallMs(),
  };
  return Promise.all(
    channels.map(async (channel) => {
      const delivery = await channel.deliver(message);
      await channel.close();
      return { channel: channel.name, fault: delivery.kind === 'sent' ? null : delivery.why };
    }),
  );
}
