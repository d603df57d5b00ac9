import { WORKER_PATH } from '../../../ops/dashboard/links.ts';
import { browserTime } from '../../adapters/browser-time.ts';
import { liveMessages } from '../../adapters/live-stream.ts';
import { StreamHolder } from './holder.ts';
import type { FromHolder, FromTab } from './protocol.ts';

/** The way from a tab to the holder of the stream, and back. */
export interface Line {
  send(message: FromTab): void;
  /** This tab wants nothing more. If it held the stream, another tab takes over. */
  close(): void;
}

const CHANNEL = 'touchline-stream';

/**
 * Joins this tab to the browser's one stream: held by a worker, or, where there are no shared workers, by the tab that has the lock. Tabs
 * then talk over a channel, without their tokens: the tab that holds the stream uses its own.
 */
export function openLine(token: string, onMessage: (message: FromHolder) => void): Line {
  if ('SharedWorker' in globalThis) {
    const { port } = new SharedWorker(WORKER_PATH);
    port.addEventListener('message', ({ data }: MessageEvent<FromHolder>) => onMessage(data));
    port.start();
    return {
      send: (message) => port.postMessage(message.kind === 'follow' ? { ...message, token } : message),
      close: () => port.close(),
    };
  }
  return lineOverChannel(token, onMessage);
}

type OnChannel =
  | { readonly to: 'tabs'; readonly message: FromHolder }
  | { readonly to: 'holder'; readonly message: FromTab };

function lineOverChannel(token: string, onMessage: (message: FromHolder) => void): Line {
  const channel = new BroadcastChannel(CHANNEL);
  let holder: StreamHolder | null = null;
  let last: FromTab | null = null;
  const closed = Promise.withResolvers<void>();
  const closing = new AbortController();
  const withToken = (message: FromTab): FromTab =>
    message.kind === 'follow' ? { ...message, token } : message;
  channel.addEventListener('message', ({ data }: MessageEvent<OnChannel>) => {
    if (data.to === 'tabs') onMessage(data.message);
    else holder?.take(data.message);
  });
  const hold = (): Promise<void> => {
    const tell = (message: FromHolder): void => {
      onMessage(message);
      channel.postMessage({ to: 'tabs', message } satisfies OnChannel);
    };
    holder = new StreamHolder(liveMessages, tell, browserTime);
    if (last !== null) holder.take(withToken(last));
    // The lock is held until then, or for as long as this tab exists.
    return closed.promise;
  };
  // Rejects if the tab is closed before it has the lock.
  navigator.locks.request(CHANNEL, { signal: closing.signal }, hold).catch(() => undefined);
  return {
    send(message) {
      last = message;
      if (holder === null) channel.postMessage({ to: 'holder', message } satisfies OnChannel);
      else holder.take(withToken(message));
    },
    close() {
      closing.abort();
      holder?.close();
      channel.close();
      closed.resolve();
    },
  };
}
