/** The worker that holds the stream for all tabs of a browser. */
import { browserTime } from '../../adapters/browser-time.ts';
import { liveMessages } from '../../adapters/live-stream.ts';
import { StreamHolder } from './holder.ts';
import type { FromHolder, FromTab } from './protocol.ts';

const ports = new Set<MessagePort>();
const tell = (message: FromHolder): void => {
  for (const port of ports) port.postMessage(message);
};
const holder = new StreamHolder(liveMessages, tell, browserTime);

addEventListener('connect', (event) => {
  for (const port of (event as MessageEvent).ports) {
    ports.add(port);
    port.addEventListener('message', ({ data }: MessageEvent<FromTab>) => {
      if (data.kind === 'leave') ports.delete(port);
      holder.take(data);
    });
    port.start();
  }
});
