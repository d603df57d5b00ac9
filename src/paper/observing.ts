/** Wires to the real exchange for programs of a paper configuration that trade nothing: only what reads and watches passes. */
import type { HttpTransport, SocketTransport } from '../ports/transport.ts';
import { mayNotSend } from '../ports/transport/allow.ts';
import { isPublic } from './public-tags.ts';
import { rawFrame } from './raw-frame.ts';
import type { RealExchange } from './real-exchange.ts';
import { ReadRequest } from './requests.ts';
import { giveCommand, readWatchCommand } from './watch-command.ts';

const REFUSED = 'mode = "paper" sends nothing about an account to the exchange';

export const observingWires = (
  real: RealExchange,
): { readonly http: HttpTransport; readonly sockets: SocketTransport } => ({
  http: {
    send(request) {
      const read = ReadRequest.of(request);
      return read === null ? Promise.reject(mayNotSend(request, REFUSED)) : real.get(read);
    },
    close: () => real.close(),
  },
  sockets: {
    open(_query, handlers) {
      const stream = real.watch({
        ...handlers,
        onMessage(data) {
          const frame = rawFrame(data);
          const seen = frame?.with(frame.entries.filter(({ tag }) => isPublic(tag))) ?? null;
          if (seen !== null) handlers.onMessage(seen);
        },
      });
      return {
        send(text) {
          const command = readWatchCommand(text);
          if (command !== null) giveCommand(stream, command);
        },
        terminate: () => stream.terminate(),
      };
    },
  },
});
