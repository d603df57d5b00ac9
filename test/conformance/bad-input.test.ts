import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../../src/simulator/core/settings.ts';
import { patient } from '../support/patience.ts';
import { exchange, type ServedExchange } from './support/exchange.ts';
import { type FuzzedRequest, Fuzzer } from './support/fuzz.ts';
import { KEY } from './support/names.ts';
import { DocumentValidator } from './support/validator.ts';

const PLENTY = { burst: 1e9, perSecond: 1e9 };
const UNLIMITED = {
  ...DEFAULT_LIMITS,
  general: [PLENTY],
  betslips: [PLENTY],
  betslipsPerDay: null,
  orders: [PLENTY],
  offersInFlight: 1e9,
};

/** Codes of the specification's error table that a request can bring about, and that of a wrong method. */
const DOCUMENTED = new Set([
  'validation_error',
  'auth_error',
  'not_found',
  'invalid_bet_type',
  'method_not_allowed',
]);

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const METHOD_NOT_ALLOWED = { status: 'error', code: 'method_not_allowed', data: null };

/** An exchange with something that could be broken: an order, a betslip and a heartbeat. */
async function busyExchange(): Promise<ServedExchange> {
  const ex = await exchange({ settings: { limits: UNLIMITED } });
  const anna = ex.client();
  await anna.placed('for,h', 2.5, 10);
  await anna.post('heartbeats/', { timeout: 300 });
  return ex;
}

/** The methods of every path of REST, those of the description included. */
function methodsByPath(ex: ServedExchange): ReadonlyMap<string, readonly string[]> {
  const described = ['json', 'yaml'].map((form) => ({ method: 'GET', path: `/v2/openapi.${form}` }));
  const byPath = Map.groupBy([...ex.core.endpoints, ...described], ({ path }) => path);
  return new Map([...byPath].map(([path, served]) => [path, served.map(({ method }) => method)]));
}

async function answerTo(ex: ServedExchange, { method, path, body, headers }: FuzzedRequest): Promise<string> {
  const response = await ex.client().fetch(method, path, body, { ...headers });
  const { status, code } = (await response.json()) as { status: string; code?: string };
  return status === 'ok' ? 'ok' : `${code}`;
}

describe('bad input', () => {
  it(
    'in 5,000 requests is answered as documented, and changes nothing',
    async () => {
      const ex = await busyExchange();
      const before = ex.inspect();
      const fuzzer = new Fuzzer(1);
      const codes = new Map<string, number>();
      for (let batch = 0; batch < 250; batch++) {
        const requests = Array.from({ length: 20 }, () => fuzzer.request());
        for (const code of await Promise.all(requests.map((request) => answerTo(ex, request)))) {
          codes.set(code, (codes.get(code) ?? 0) + 1);
        }
      }
      expect([...codes.keys()].filter((code) => code !== 'ok' && !DOCUMENTED.has(code))).toEqual([]);
      for (const code of ['validation_error', 'auth_error', 'not_found']) {
        expect(codes.get(code)).toBeGreaterThan(100);
      }
      expect(ex.inspect()).toEqual(before);
    },
    patient(120_000),
  );

  it('with a wrong method is answered method_not_allowed on every REST path, with the methods of that path', async () => {
    const ex = await busyExchange();
    const before = ex.inspect();
    const paths = methodsByPath(ex);
    expect(paths.size).toBeGreaterThan(20);
    for (const [path, methods] of paths) {
      for (const method of METHODS.filter((each) => !methods.includes(each))) {
        const response = await ex.client().fetch(method, path.replaceAll(/\{\w+\}/g, 'x'));
        expect(await response.json(), `${method} ${path}`).toEqual(METHOD_NOT_ALLOWED);
        expect(response.status).toBe(405);
        expect(response.headers.get('allow')?.split(', ').toSorted()).toEqual(methods.toSorted());
      }
    }
    expect(ex.inspect()).toEqual(before);
  });

  it(
    'in 5,000 frames is answered in band, and changes nothing',
    async () => {
      const ex = await busyExchange();
      const document = await (await fetch(`${ex.simulator.rest}openapi.json`)).json();
      const validator = new DocumentValidator(document);
      const stream = await ex.client().stream();
      const before = ex.inspect();
      const fuzzer = new Fuzzer(2);
      const registered = stream.all('response').length;
      for (let i = 0; i < 5_000; i++) stream.socket.send(fuzzer.frame());
      await stream.command('echo', 'end');
      await stream.until('response', ({ data }) => data?.[0] === 'end');
      const responses = stream.all('response').slice(registered);
      expect(responses).toHaveLength(5_001);
      const codes = new Set(responses.map(({ code }) => code));
      for (const code of ['bad_json', 'invalid_input', undefined]) expect(codes).toContain(code);
      expect(
        [...codes].filter(
          (code) => ![undefined, 'bad_json', 'invalid_input', 'already_registered'].includes(code),
        ),
      ).toEqual([]);
      expect(stream.frames.flatMap((frame) => validator.frame(frame))).toEqual([]);
      expect(ex.inspect()).toEqual(before);
    },
    patient(120_000),
  );

  it(
    'of random bytes on the socket ends that socket only',
    async () => {
      const ex = await busyExchange();
      const before = ex.inspect();
      const fuzzer = new Fuzzer(3);
      for (let i = 0; i < 300; i++) {
        const socket = connect(ex.simulator.port, '127.0.0.1');
        socket.on('error', () => undefined);
        socket.resume();
        socket.end(fuzzer.bytes());
        await once(socket, 'close');
      }
      expect((await ex.client().get('balance/')).http).toBe(200);
      expect(ex.inspect()).toEqual(before);
    },
    patient(60_000),
  );

  it(
    'of random bytes in place of frames ends that connection only',
    async () => {
      const ex = await busyExchange();
      const bystander = await ex.client().stream();
      const fuzzer = new Fuzzer(4);
      for (let i = 0; i < 100; i++) {
        const socket = connect(ex.simulator.port, '127.0.0.1');
        socket.on('error', () => undefined);
        socket.resume();
        socket.write(HANDSHAKE);
        socket.end(fuzzer.bytes());
        await once(socket, 'close');
      }
      await expect.poll(() => ex.simulator.host.openStreams).toBe(1);
      expect(await bystander.command('echo', 1)).toMatchObject({ status: 'ok' });
    },
    patient(60_000),
  );

  it('in bodies of another encoding is not JSON: names that differ do not become equal', async () => {
    const ex = await busyExchange();
    const betslip_id = await ex.client().betslip();
    const answers = ['b\u00e9', 'b\u00e8'].map(async (request_uuid) => {
      const order = { betslip_id, price: 2.5, stake: ['USDT', 1], request_uuid };
      const body = Buffer.from(JSON.stringify(order), 'latin1');
      const headers = { 'X-Api-Key': KEY };
      const answer = await fetch(`${ex.simulator.rest}orders/`, { method: 'POST', headers, body });
      return ((await answer.json()) as { data: unknown }).data;
    });
    const refused = { validation_errors: { non_field_errors: ['JSON parse error'] } };
    expect(await Promise.all(answers)).toEqual([refused, refused]);
  });

  it('in oversized frames is bad_json', async () => {
    const ex = await busyExchange();
    const stream = await ex.client().stream();
    expect(await stream.say(`["echo","${'x'.repeat(10_000_000)}"]`)).toEqual({
      status: 'error',
      code: 'bad_json',
    });
  });
});

const HANDSHAKE = [
  `GET /v2/stream?api_key=${KEY} HTTP/1.1`,
  'Host: exchange',
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
  '\r\n',
].join('\r\n');
