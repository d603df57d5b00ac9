import type { HttpTransport, SocketTransport } from '../../ports/transport.ts';
import { ExchangeHost, type HostOptions } from '../host/exchange-host.ts';
import { InProcessHttp } from './http.ts';
import { constantLatency, type Latency } from './delay-line.ts';
import { InProcessSockets } from './sockets.ts';

export interface InProcessOptions extends HostOptions {
  /** Default: no delay, but nothing arrives within the call that sent it. */
  readonly latency?: Latency;
}

export interface InProcessExchange {
  readonly http: HttpTransport;
  readonly sockets: SocketTransport;
  readonly host: ExchangeHost;
}

/** Transports to an exchange in the same process. On a virtual clock, client and exchange run repeatably in step. */
export function inProcessTransports(options: InProcessOptions): InProcessExchange {
  const { clock, latency = constantLatency(0) } = options;
  const host = new ExchangeHost(options);
  return {
    http: new InProcessHttp(host, clock, latency),
    sockets: new InProcessSockets(host, clock, latency),
    host,
  };
}
