import { TransportError, type TransportOutcome } from '../../domain/errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { HttpAnswer, HttpRequest, HttpTransport } from '../../ports/transport.ts';
import type { SimRequest, SimResponse } from '../core/api.ts';
import type { ExchangeHost } from '../host/exchange-host.ts';
import type { Delivery } from '../host/faulty-requests.ts';
import type { Latency } from './delay-line.ts';

/** HTTP to an exchange in the same process: the same answers as over sockets, after the latency model's delays. */
export class InProcessHttp implements HttpTransport {
  readonly #host: ExchangeHost;
  readonly #clock: Clock;
  readonly #latency: Latency;
  readonly #underWay = new Set<Call>();
  /** The calls under way that have reached the exchange. */
  readonly #arrived = new Set<Call>();
  #closed = false;

  constructor(host: ExchangeHost, clock: Clock, latency: Latency) {
    this.#host = host;
    this.#clock = clock;
    this.#latency = latency;
    host.onNetwork((isDown) => {
      if (isDown) for (const call of this.#arrived) call.fail('unknown', 'connection reset');
    });
  }

  send(request: HttpRequest): Promise<HttpAnswer> {
    if (this.#closed) return Promise.reject(new TransportError('not-sent', 'the transport is closed'));
    if (request.signal?.aborted === true) return Promise.reject(new TransportError('not-sent', 'aborted'));
    const call = new Call(request, this.#clock);
    this.#underWay.add(call);
    this.#clock.after(this.#latency.toExchangeMs(), () => this.#arrive(request, call));
    return call.answer.finally(() => this.#forget(call));
  }

  close(): Promise<void> {
    this.#closed = true;
    for (const call of this.#underWay) call.fail('unknown', 'the transport was closed');
    return Promise.resolve();
  }

  #forget(call: Call): void {
    this.#underWay.delete(call);
    this.#arrived.delete(call);
  }

  #arrive(request: HttpRequest, call: Call): void {
    if (this.#host.isNetworkDown) return call.fail('not-sent', 'connection refused');
    if (this.#underWay.has(call)) this.#arrived.add(call);
    this.#host.submit(simRequest(request), (delivery) => {
      this.#clock.after(this.#latency.toClientMs(), () => end(call, delivery));
    });
  }
}

/** Ends a call as the delivery says. `never` and `stalled` end nothing: the call's timeout does. */
function end(call: Call, delivery: Delivery): void {
  if ('response' in delivery) delivery.response.release?.();
  if (delivery.carriage === 'whole') call.succeed(delivery.response);
  if (delivery.carriage === 'reset') call.fail('unknown', 'connection reset');
  if (delivery.carriage === 'cut') call.fail('unknown', 'the answer broke off');
}

/** A request under way. It ends once: by its answer, its timeout, its signal or the transport's end. */
class Call {
  readonly answer: Promise<HttpAnswer>;
  readonly #settled = Promise.withResolvers<HttpAnswer>();
  readonly #release: () => void;

  constructor({ timeoutMs, signal }: HttpRequest, clock: Clock) {
    this.answer = this.#settled.promise;
    const timer = clock.after(timeoutMs, () => this.fail('unknown', `no answer within ${timeoutMs} ms`));
    const abort = (): void => this.fail('unknown', 'aborted');
    signal?.addEventListener('abort', abort, { once: true });
    this.#release = () => {
      timer.cancel();
      signal?.removeEventListener('abort', abort);
    };
  }

  succeed({ status, headers, body }: SimResponse): void {
    this.#release();
    this.#settled.resolve({ status, headers, body });
  }

  /** Once the request has left, whether the exchange acted on it is `unknown`. */
  fail(outcome: TransportOutcome, reason: string): void {
    this.#release();
    this.#settled.reject(new TransportError(outcome, reason));
  }
}

function simRequest({ method, path, headers, body }: HttpRequest): SimRequest {
  const key = Object.keys(headers).find((name) => name.toLowerCase() === 'x-api-key');
  return {
    method,
    target: path,
    apiKey: key === undefined ? null : (headers[key] ?? null),
    body: body ?? '',
  };
}
