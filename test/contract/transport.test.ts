import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TransportError } from '../../src/domain/errors.ts';
import type { HttpAnswer, HttpRequest, SocketHandlers } from '../../src/ports/transport.ts';
import type { Fault } from '../../src/simulator/faults/schema.ts';
import {
  type Decorate,
  recorded,
  restricted,
  TRANSPORT_KEY,
  type Transports,
  transportsInProcess,
  transportsOverSockets,
  type TransportSubject,
} from './transport-subject.ts';
import { patient } from '../support/patience.ts';

const requestOf = (part: Partial<HttpRequest> = {}): HttpRequest => ({
  method: 'GET',
  path: '/v2/xrates/?a=1',
  body: null,
  timeoutMs: patient(5_000),
  headers: { 'x-api-key': TRANSPORT_KEY, accept: 'application/json' },
  ...part,
});

const always = { at: 0, skip: 0, probability: 1 } as const;
const STALL: Fault = { ...always, target: 'rest', fault: 'stall' };
const NO_NETWORK: Fault = { ...always, target: 'network', fault: 'connect_refused' };

/** The contract of both transports, which every decorator keeps, too. */
function transportContract(
  name: string,
  create: () => Promise<TransportSubject>,
  decorate: Decorate = (transports) => transports,
): void {
  describe(`Transport contract: ${name}`, () => {
    let subject: TransportSubject;
    let transports: Transports;

    beforeEach(async () => {
      subject = await create();
      transports = decorate(subject, subject.clock);
    });
    afterEach(() => subject.stop());

    /** The result of a request: its answer, or the outcome of its failure. */
    function sending(part: Partial<HttpRequest> = {}): { ended: HttpAnswer | Error | null } {
      const watched: { ended: HttpAnswer | Error | null } = { ended: null };
      transports.http.send(requestOf(part)).then(
        (answer) => (watched.ended = answer),
        (error: unknown) => (watched.ended = error as Error),
      );
      return watched;
    }

    async function ended(watched: { ended: HttpAnswer | Error | null }): Promise<HttpAnswer | Error | null> {
      await subject.until(() => watched.ended !== null);
      return watched.ended;
    }

    async function outcome(watched: { ended: HttpAnswer | Error | null }): Promise<string> {
      const error = await ended(watched);
      expect(error).toBeInstanceOf(TransportError);
      return (error as TransportError).outcome;
    }

    const arrived = (): readonly string[] => subject.core.calls.filter((call) => /^(GET|POST) /.test(call));

    function listen() {
      const received: string[] = [];
      const handlers: SocketHandlers = {
        onOpen: () => received.push('open'),
        onMessage: (data) => received.push(Buffer.from(data).toString()),
        onRefused: (status, body) => received.push(`refused ${status} ${body}`),
        onClose: (code, reason) => received.push(`close ${code} ${reason}`),
      };
      return { received, handlers };
    }

    it('delivers the request and the answer unchanged', async () => {
      const body = '{"a":"é"}';
      const answer = await ended(sending({ method: 'POST', path: '/v2/orders/?a=1&b=%2C', body }));
      expect(answer).toMatchObject({ status: 200, headers: { 'content-type': 'application/json' } });
      const { data } = JSON.parse((answer as HttpAnswer).body) as { data: unknown };
      const target = '/v2/orders/?a=1&b=%2C';
      expect(data).toEqual({ method: 'POST', target, apiKey: TRANSPORT_KEY, body });
    });

    it('returns a refusal like any other answer', async () => {
      expect(await ended(sending({ headers: {} }))).toMatchObject({ status: 401 });
    });

    it('reports that nothing was sent when the signal was aborted before', async () => {
      expect(await outcome(sending({ signal: AbortSignal.abort() }))).toBe('not-sent');
      expect(arrived()).toEqual([]);
    });

    it('reports that nothing was sent when nothing listens', async () => {
      subject.host.addFault(NO_NETWORK);
      await subject.step();
      expect(await outcome(sending())).toBe('not-sent');
      expect(arrived()).toEqual([]);
    });

    it('reports an unknown outcome for a request that is not answered in time', async () => {
      subject.host.addFault(STALL);
      expect(await outcome(sending({ timeoutMs: patient(100) }))).toBe('unknown');
      expect(arrived()).toEqual(['GET /v2/xrates/?a=1']);
    });

    it('reports an unknown outcome for a request that is cancelled in flight', async () => {
      subject.host.addFault(STALL);
      const abort = new AbortController();
      const watched = sending({ path: '/v2/orders/1/', signal: abort.signal });
      await subject.until(() => arrived().length === 1);
      abort.abort();
      expect(await outcome(watched)).toBe('unknown');
    });

    it('sends nothing after it was closed, and reports an unknown outcome for requests in flight', async () => {
      subject.host.addFault(STALL);
      const during = sending();
      await subject.until(() => arrived().length === 1);
      await transports.http.close();
      expect(await outcome(during)).toBe('unknown');
      expect(await outcome(sending())).toBe('not-sent');
      expect(arrived()).toHaveLength(1);
    });

    it('reports whether it waits for connections, and then checks each request before it leaves', async () => {
      const whenConnected = (): void => {
        throw new Error('not wanted any more');
      };
      const watched = sending({ whenConnected });
      if (transports.http.waitsForConnections === true) expect(await outcome(watched)).toBe('not-sent');
      else expect(await ended(watched)).toMatchObject({ status: 200 });
      expect(transports.http.waitsForConnections).toBe(subject.http.waitsForConnections);
    });

    it('opens with the query and carries messages both ways, in order', async () => {
      const { received, handlers } = listen();
      const socket = transports.sockets.open({ api_key: TRANSPORT_KEY }, handlers);
      socket.send('too early');
      await subject.until(() => received.length === 2);
      for (const text of ['1', 'é']) socket.send(text);
      await subject.until(() => received.length === 4);
      expect(received).toEqual(['open', 'hello', 'echo 1', 'echo é']);
    });

    it('reports a refused upgrade with its status and body, and nothing after it', async () => {
      const { received, handlers } = listen();
      const socket = transports.sockets.open({}, handlers);
      await subject.until(() => received.length > 0);
      socket.send('nothing');
      socket.terminate();
      const other = listen();
      transports.sockets.open({ api_key: TRANSPORT_KEY }, other.handlers);
      await subject.until(() => other.received.length === 2);
      expect(received).toEqual(['refused 400 missing_credentials']);
    });

    it('reports once why the exchange closed', async () => {
      const { received, handlers } = listen();
      const socket = transports.sockets.open({ api_key: TRANSPORT_KEY }, handlers);
      await subject.until(() => received.length === 2);
      socket.send('leave');
      await subject.until(() => received.length === 3);
      socket.send('nothing');
      socket.terminate();
      expect(received).toEqual(['open', 'hello', 'close 1000 bye']);
    });

    it('ends at once when it is terminated, and reports only the end', async () => {
      const { received, handlers } = listen();
      const socket = transports.sockets.open({ api_key: TRANSPORT_KEY }, handlers);
      await subject.until(() => received.length === 2);
      socket.terminate();
      socket.send('nothing');
      await subject.until(() => received.length === 3);
      expect(received).toEqual(['open', 'hello', 'close null ']);
      await subject.until(() => subject.core.connections.size === 0);
      expect(subject.core.calls).not.toContain('receive nothing');
    });
  });
}

for (const [name, create] of [
  ['in process', transportsInProcess],
  ['over sockets', transportsOverSockets],
] as const) {
  transportContract(name, create);
  transportContract(`recorded, ${name}`, create, recorded);
  transportContract(`restricted, ${name}`, create, restricted);
}
